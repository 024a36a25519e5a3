// French texts are found by the English ones: a test finds a changed text without translation.

import type { OpenApiDocument } from '../document'
import { fieldTexts, sandboxTexts } from './fields'
import { operationTexts } from './operations'

export function toFrenchDocument(document: OpenApiDocument): OpenApiDocument {
  const french = translate(document) as OpenApiDocument
  return {
    ...french,
    info: { ...french.info, title: 'Service de facturation électronique' },
    externalDocs: { description: 'Guide', url: '/docs/guide/fr' },
  }
}

export function findFrench(text: string): string | undefined {
  // A response lists the codes it can have.
  if (/^[A-Z_]+(, [A-Z_]+)*$/.test(text)) return text
  return operationTexts[text] ?? fieldTexts[text] ?? translateSandbox(text)
}

const translated = new Set(['description', 'summary'])

/** Calls for each text that people read, and replaces it. */
export function mapTexts(value: unknown, replace: (text: string) => string): unknown {
  if (Array.isArray(value)) return value.map((item) => mapTexts(item, replace))
  if (typeof value !== 'object' || value === null) return value
  const entries = Object.entries(value).map(([key, inner]): [string, unknown] => {
    // Samples of bodies and answers have a description of their own.
    if (key === 'value') return [key, inner]
    if (translated.has(key) && typeof inner === 'string') return [key, replace(inner)]
    return [key, mapTexts(inner, replace)]
  })
  return Object.fromEntries(entries)
}

function translate(document: unknown): unknown {
  return mapTexts(document, (text) => findFrench(text) ?? text)
}

const sandbox = /^Sandbox, buyer …(\d+): (.+); ends (.+)$/
const firstAnswer = /^the platform first answers (\d+)(, though it stored the submission)?$/

function translateSandbox(text: string): string | undefined {
  const [, buyer, what = '', final = ''] = sandbox.exec(text) ?? []
  if (buyer === undefined) return undefined
  const outcome = sandboxTexts[final] ?? final
  return `Bac à sable, acheteur …${buyer} : ${translateOutcome(what)} ; finit ${outcome}`
}

function translateOutcome(what: string): string {
  const [, status, isStored] = firstAnswer.exec(what) ?? []
  if (status === undefined) return sandboxTexts[what] ?? what
  const though = isStored ? ', bien qu’elle ait enregistré l’envoi' : ''
  return `la plateforme répond d’abord ${status}${though}`
}
