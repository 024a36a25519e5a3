// RFC 9116. Without SECURITY_CONTACT the path is 404: an unread contact is worse than none.

import type { EnvReader } from '@einvoicing/runtime/env'
import type { Clock } from '@einvoicing/runtime/clock'
import { sendBytes } from './http/envelope'
import { createNotFound } from './http/error-to-http'
import type { RouteTable } from './http/route-table'

export interface SecurityTxtDeps {
  /** `mailto:` or `https:`. */
  securityContact: string | undefined
  now: Clock
}

const dayMs = 86_400_000
// Section 2.5.5 requires less than a year; each answer has a new date.
const validDays = 30

export function readSecurityContact(env: EnvReader): string | undefined {
  const contact = env.optionalText('SECURITY_CONTACT')
  if (contact === undefined || /^(mailto:[^\s@]+@[^\s@]+|https:\/\/[^\s/]\S*)$/.test(contact)) {
    return contact
  }
  env.addError(
    `SECURITY_CONTACT must be mailto:security@example.com or https://…, not "${contact}"`,
    undefined,
  )
  return undefined
}

export function securityTxtRoutes({ securityContact, now }: SecurityTxtDeps): RouteTable {
  return {
    '/.well-known/security.txt': {
      GET: (_, response) => {
        if (securityContact === undefined) throw createNotFound()
        const midnightMs = Math.floor(now().getTime() / dayMs) * dayMs
        const expires = new Date(midnightMs + validDays * dayMs).toISOString().replace('.000', '')
        sendBytes(response, {
          status: 200,
          headers: {
            'Content-Type': 'text/plain; charset=utf-8',
            'Cache-Control': 'max-age=86400',
          },
          body: `Contact: ${securityContact}\nExpires: ${expires}\n`,
        })
      },
    },
  }
}
