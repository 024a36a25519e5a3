export const account = {
  title: 'My account',
  lead: (email: string, organization: string) => `${email}, at ${organization}.`,
  password: 'Change password',
  passwordHint: 'All your other sessions will be signed out.',
  current: 'Current password',
  next: 'New password',
  samePassword: 'Choose another password than the current one.',
  change: 'Change',
  changed: 'Your password has been changed.',
}
