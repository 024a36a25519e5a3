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
  verify: 'Verify this address',
  passwordTitle: 'Password of this account',
  passwordHint:
    'This browser is not signed in to it. If this was not you, close this page: nothing changes, and a new account is removed.',
  verified: 'Address verified',
  verifiedLead: (address: string) => `${address} is verified.`,
  openChange: 'This confirms the address of a new account, or a change of address.',
  halfTitle: 'One address confirmed',
  halfLead: (confirmed: string, remaining: string) =>
    `${confirmed} has confirmed the change. Now open the link that was sent to ${remaining}.`,
  changed: 'Address changed',
  changedLead: (address: string) => `You now sign in with ${address}.`,
  goOn: 'Continue',
  taken:
    'The new address has had an account of its own since you asked for the change, so your address stays as it was. Choose another one in My account.',
  expired:
    'This link is no longer valid: it has been used, is more than 24 hours old, or its request was replaced or cancelled. Sign in and request a new one if you still need it.',
}
