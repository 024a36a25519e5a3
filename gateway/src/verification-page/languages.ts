import type { Request } from 'express'

/** In the order of the page; the first is the default. */
export const languages = ['fr', 'ar', 'en'] as const

export type Language = (typeof languages)[number]

/** `?lang=` before Accept-Language; an unknown one is ignored. */
export function readLanguage(request: Request): Language {
  const requested = new URLSearchParams(request.url.split('?')[1]).get('lang')
  return languages.find((language) => language === requested) ?? readAccepted(request)
}

function readAccepted(request: Request): Language {
  const accepted = request.acceptsLanguages(...languages)
  return languages.find((language) => language === accepted) ?? languages[0]
}
