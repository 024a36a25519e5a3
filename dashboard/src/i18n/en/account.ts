export const account = {
  title: 'My account',
  lead: (email: string, organization: string) => `${email}, at ${organization}.`,
  password: 'Change password',
  passwordHint: 'All your other sessions will be signed out.',
  current: 'Current password',
  next: 'New password',
  change: 'Change',
  changed: 'Your password has been changed.',
}
