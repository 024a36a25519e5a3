// The gateway checks the form, organizations reports what is missing, the signer requires all.

import { emailForm } from './email'
import { matchesForm, type TextForm } from './text-form'

export const neededMentions = [
  'name',
  'address',
  'city',
  'ice',
  'if',
  'rc',
  'tp',
] as const satisfies readonly LegalMention[]

export const iceDigits = 15
export const ribDigits = 24

const digits = (count: number): TextForm => ({
  pattern: `[0-9]{${count}}`,
  message: `must be exactly ${count} digits`,
})

const registration: TextForm = {
  pattern: '[\\p{L}\\p{N}/. \\-]+',
  message: 'must contain only letters, digits, spaces and / - .',
}

/** Mentions without a form may be any text. */
export const mentionForms = {
  name: undefined,
  legalForm: undefined,
  capital: undefined,
  address: undefined,
  city: undefined,
  ice: digits(iceDigits),
  if: { pattern: '[0-9A-Za-z]{1,20}', message: 'must be 1 to 20 digits or letters' },
  rc: registration,
  tp: registration,
  cnss: registration,
  rib: digits(ribDigits),
  phone: undefined,
  email: emailForm,
} as const satisfies Readonly<Record<string, TextForm | undefined>>

export type LegalMention = keyof typeof mentionForms

export const mentionNames = Object.keys(mentionForms) as LegalMention[]

export const isIce = (text: string): boolean => matchesForm(text, mentionForms.ice)
