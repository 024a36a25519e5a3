export const email = {
  title: 'Verify your email address',
  lead: (address: string) =>
    `We sent a link to ${address}. Open it within 24 hours: your account then opens. Without it the account is removed after 48 hours.`,
  checkSpam: 'No message? Look in the unwanted mail, or have the link sent again.',
  resend: 'Send the link again',
  resent: 'If the address still has to be verified, a new link is on its way.',
  check: 'I have opened the link',
  notYet: 'The address is not verified yet.',
  openTitle: 'Verify your email address',
  openLead: 'Your account opens with this.',
  verify: 'Verify this address',
  passwordTitle: 'Password of this account',
  passwordHint:
    'This browser is not signed in to it. If you did not create the account, close this page: it will be removed.',
  verified: 'Address verified',
  verifiedLead: (address: string) => `${address} is verified.`,
  goOn: 'Continue',
  expired:
    'This link no longer holds: it was used, or is over 24 hours old. If your address is not verified yet, sign in and ask for a new one.',
}
