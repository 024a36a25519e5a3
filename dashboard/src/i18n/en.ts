/** All texts in English: one file for each part of the page. */

import type { Catalogue } from './catalogue'
import { account } from './en/account'
import { audit } from './en/audit'
import { draft } from './en/draft'
import { frame } from './en/frame'
import { invoice, invoices, rejections } from './en/invoices'
import { keys } from './en/keys'
import { members } from './en/members'
import { mentions } from './en/mentions'
import { overview } from './en/overview'
import { refusals } from './en/refusals'
import { start } from './en/start'
import { statuses } from './en/statuses'

export const en: Catalogue = {
  account,
  audit,
  draft,
  frame,
  invoice,
  invoices,
  keys,
  members,
  mentions,
  overview,
  refusals,
  rejections,
  start,
  statuses,
}
