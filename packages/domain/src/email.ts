import type { TextForm } from './text-form'

// As browsers check `<input type="email">` (HTML, section 4.10.5.1.5), and a dot in the domain.
const local = "[a-zA-Z0-9.!#$%&'*+\\/=?^_`{|}~\\-]{1,64}"
const label = '[a-zA-Z0-9](?:[a-zA-Z0-9\\-]{0,61}[a-zA-Z0-9])?'

export const emailForm: TextForm = {
  pattern: `${local}@${label}(?:\\.${label})+`,
  message: 'must be an email address, like name@example.com',
}
