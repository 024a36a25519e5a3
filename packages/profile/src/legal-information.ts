import { isBlank } from '@einvoicing/domain/xml-text'

export interface LegalInformation {
  legalForm: string
  capital: string
  tp: string
  cnss: string
}

const separator = ' - '
const labels = [
  ['capital', 'Capital : '],
  ['tp', 'TP : '],
  ['cnss', 'CNSS : '],
] as const satisfies readonly (readonly [keyof LegalInformation, string])[]

/** `SARL - Capital : 100 000 MAD - TP : 345 - CNSS : 678`, without what is blank. */
export function writeLegalInformation(information: LegalInformation): string {
  const labelled = labels.map(([name, label]) =>
    isBlank(information[name]) ? '' : label + information[name],
  )
  return [information.legalForm, ...labelled].filter((part) => !isBlank(part)).join(separator)
}

const written = new RegExp(
  `^(?<legalForm>.*?)${labels
    .map(([name, label], i) => {
      const value = i === labels.length - 1 ? '.*' : '.*?'
      return `(?:(?:^|${separator})${label}(?<${name}>${value}))?`
    })
    .join('')}$`,
  's',
)

/** Missing parts are empty. Writing the result gives the same line again. */
export function readLegalInformation(text: string): LegalInformation {
  const { legalForm = '', capital = '', tp = '', cnss = '' } = written.exec(text)?.groups ?? {}
  const information = { legalForm, capital, tp, cnss }
  if (writeLegalInformation(information) === text) return information
  // A label inside a legal form, without a value.
  return { legalForm: text, capital: '', tp: '', cnss: '' }
}
