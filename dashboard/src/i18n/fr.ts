import { account } from './fr/account'
import { approval } from './fr/approval'
import { audit } from './fr/audit'
import { credit } from './fr/credit'
import { draft } from './fr/draft'
import { email } from './fr/email'
import { frame } from './fr/frame'
import { invoice, invoices, rejections } from './fr/invoices'
import { keys } from './fr/keys'
import { members } from './fr/members'
import { mentions } from './fr/mentions'
import { overview } from './fr/overview'
import { security } from './fr/security'
import { errors } from './fr/errors'
import { start } from './fr/start'
import { statuses } from './fr/statuses'

export const fr = {
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
