/** My account. */

export const account = {
  title: 'My account',
  lead: (email: string, organization: string) => `${email}, at ${organization}.`,
  password: 'Change the password',
  passwordTold: 'All your other sessions end.',
  current: 'Current password',
  next: 'New password',
  change: 'Change',
  changed: 'Your password is changed.',
}
