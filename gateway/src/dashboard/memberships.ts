import { z } from 'zod'
import { listOf } from '../fields/answer-fields'
import { readFields } from '../fields/read-fields'
import { filledText, toZodSchema } from '../fields/rules'
import { sendOk } from '../http/envelope'
import { createCall, getMember } from '../http/exchange'
import type { Handle } from '../http/route-table'
import type { ApiTable } from '../routes/api-route'
import { identitySchema, openedAnswer, presentOpened } from './accounts'
import { readClient } from './client'
import type { AccountDeps } from './deps'
import { identity } from './examples'
import { membershipSchema, presentMembership } from './membership-schema'
import { clearSessionCookie, setSessionCookie } from './session'

const organizationChoice = z.strictObject({
  organizationId: toZodSchema<string>(filledText(36)),
})

const list =
  ({ organizations }: AccountDeps): Handle =>
  async (_, response) => {
    const { userId } = getMember(response)
    const { memberships } = await organizations.listMemberships({ userId }, createCall(response))
    sendOk(response, { content: memberships.map(presentMembership) })
  }

const switchTo =
  ({ organizations, session, environment }: AccountDeps): Handle =>
  async (request, response) => {
    const { organizationId } = await readFields(request, response, organizationChoice)
    const { userId } = getMember(response)
    const opened = await organizations.switchOrganization(
      { userId, organizationId: organizationId.toLowerCase(), ...readClient(request) },
      createCall(response),
    )
    setSessionCookie(response, opened, session)
    sendOk(response, presentOpened(opened, environment))
  }

const leave =
  ({ organizations, session, environment }: AccountDeps): Handle =>
  async (request, response) => {
    const { userId } = getMember(response)
    const { identity: opened } = await organizations.leaveOrganization(
      { userId, ...readClient(request) },
      createCall(response),
    )
    if (opened) setSessionCookie(response, opened, session)
    else clearSessionCookie(response, session)
    sendOk(response, { session: opened ? presentOpened(opened, environment) : null })
  }

const leftSchema = z.object({
  session: identitySchema
    .nullable()
    .describe('The session in another of your organizations; null if there is none.'),
})

const { organizationId } = identity

export const membershipRoutes: ApiTable<AccountDeps> = {
  '/organizations': {
    GET: {
      handle: list,
      operationId: 'listMemberships',
      summary: 'List the organizations that you are a member of.',
      description: 'In the order in which you joined; 100 at most.',
      answer: {
        name: 'Memberships',
        schema: listOf(membershipSchema),
        examples: { memberships: { content: identity.memberships } },
      },
    },
  },
  '/membership': {
    DELETE: {
      handle: leave,
      operationId: 'leaveOrganization',
      summary: 'Leave the organization of this session.',
      description:
        'Your sessions in it end; this one goes on in the first of your other organizations, with a new cookie, and an account without one ends. The only OWNER cannot leave (LAST_OWNER).',
      answer: {
        name: 'LeftOrganization',
        schema: leftSchema,
        examples: { left: { session: identity } },
        headers: ['Set-Cookie'],
      },
      errors: ['LAST_OWNER', 'CONFIRMATION_REQUIRED'],
    },
  },
  '/session/organization': {
    POST: {
      handle: switchTo,
      operationId: 'switchOrganization',
      summary: 'Switch to another of your organizations.',
      description:
        'The session gets a new cookie, and the old cookie stops working. The session still ends at the same time. `secondFactorMissing` is true if the organization requires a second factor that you have not set up.',
      body: {
        name: 'OrganizationChoice',
        schema: organizationChoice,
        examples: { organization: { organizationId } },
      },
      answer: openedAnswer,
    },
  },
}
