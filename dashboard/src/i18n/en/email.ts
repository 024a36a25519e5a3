export const email = {
  title: 'Verify your email address',
  lead: (address: string) =>
    `We sent a link to ${address}. Open it within 24 hours to activate your account. An account that is not verified is removed after 48 hours.`,
  checkSpam: 'No message? Check your spam folder, or send the link again.',
  resend: 'Send the link again',
  resent: 'If the address still has to be verified, a new link is on its way.',
  check: 'I have opened the link',
  notYet: 'The address is not verified yet.',
  openTitle: 'Verify your email address',
  openLead: 'This activates your account.',
  verify: 'Verify this address',
  passwordTitle: 'Password of this account',
  passwordHint:
    'This browser is not signed in to it. If you did not create the account, close this page: it will be removed.',
  verified: 'Address verified',
  verifiedLead: (address: string) => `${address} is verified.`,
  goOn: 'Continue',
  expired:
    'This link is no longer valid: it has been used, or is more than 24 hours old. If your address is not verified yet, sign in and request a new link.',
}
