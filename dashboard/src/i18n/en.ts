import type { Catalogue } from './catalogue'
import { account } from './en/account'
import { approval } from './en/approval'
import { audit } from './en/audit'
import { credit } from './en/credit'
import { draft } from './en/draft'
import { email } from './en/email'
import { frame } from './en/frame'
import { invoice, invoices, rejections } from './en/invoices'
import { keys } from './en/keys'
import { members } from './en/members'
import { mentions } from './en/mentions'
import { overview } from './en/overview'
import { security } from './en/security'
import { errors } from './en/errors'
import { start } from './en/start'
import { statuses } from './en/statuses'

export const en: Catalogue = {
  account,
  approval,
  audit,
  credit,
  draft,
  email,
  frame,
  invoice,
  invoices,
  keys,
  members,
  mentions,
  overview,
  errors,
  rejections,
  security,
  start,
  statuses,
}
