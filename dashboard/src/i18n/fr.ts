import { account } from './fr/account'
import { audit } from './fr/audit'
import { credit } from './fr/credit'
import { draft } from './fr/draft'
import { frame } from './fr/frame'
import { invoice, invoices, rejections } from './fr/invoices'
import { keys } from './fr/keys'
import { members } from './fr/members'
import { mentions } from './fr/mentions'
import { overview } from './fr/overview'
import { errors } from './fr/errors'
import { start } from './fr/start'
import { statuses } from './fr/statuses'

export const fr = {
  account,
  audit,
  credit,
  draft,
  frame,
  invoice,
  invoices,
  keys,
  members,
  mentions,
  overview,
  errors,
  rejections,
  start,
  statuses,
}
