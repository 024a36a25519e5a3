/** The paths to a session: signing up, in and out, and who one is. */

import { operation, type Parameter, type Paths } from './operation'
import { organizationId } from './samples'

const tag = 'Dashboard'

/** Wherever the dashboard changes something. */
export const requestedWith: Parameter = {
  name: 'X-Requested-With',
  in: 'header',
  required: true,
  description: 'A form on another site cannot send it.',
  schema: { const: 'dashboard' },
}

const parameters = [requestedWith]
const credentials = { email: 'nadia@example.com', password: 'orange blossom' }
export const identity = {
  organizationId,
  organizationName: 'Atelier Nord SARL',
  userId: 'b8a1f6de-52c4-4e0f-9a63-7d1e2f3a4b5c',
  email: credentials.email,
  role: 'OWNER',
  expiresAt: '2026-05-03T21:30:00.000Z',
}

export const accountPaths: Paths = {
  '/dashboard/api/signup': {
    post: operation({
      id: 'signUp',
      tag,
      summary: 'Make an organization and its first user, its OWNER; opens a session.',
      description:
        'The user is signed in at once. Legal mentions come next: until they are complete, no invoice can be signed.',
      caller: 'anyone',
      parameters,
      body: {
        schema: 'NewAccount',
        examples: { account: { organizationName: 'Atelier Nord SARL', ...credentials } },
      },
      answer: {
        status: 201,
        data: 'Identity',
        examples: { identity },
        headers: ['Set-Cookie'],
      },
      refusals: ['CSRF_REFUSED', 'EMAIL_TAKEN', 'SIGNUP_CLOSED', 'TOO_MANY_ATTEMPTS'],
    }),
  },
  '/dashboard/api/session': {
    get: operation({
      id: 'readSession',
      tag,
      summary: 'Who one is, and what one may do.',
      description:
        'Checked with every call: the end of the session, a removed member, another role or another password holds from the next one.',
      caller: 'session',
      answer: { data: 'Identity', examples: { identity } },
    }),
    post: operation({
      id: 'signIn',
      tag,
      summary: 'Open a session.',
      description:
        'Which of email and password was wrong is told to nobody; too many attempts are answered 429.',
      caller: 'anyone',
      parameters,
      body: { schema: 'Credentials', examples: { credentials } },
      answer: { data: 'Identity', examples: { identity }, headers: ['Set-Cookie'] },
      refusals: ['CSRF_REFUSED', 'CREDENTIALS_INVALID', 'TOO_MANY_ATTEMPTS'],
    }),
    delete: operation({
      id: 'signOut',
      tag,
      summary: 'End the session; twice is as good as once.',
      description:
        'The session is over on the server too: its cookie is answered 401 SESSION_INVALID from then on.',
      caller: 'anyone',
      parameters,
      answer: { data: 'Nothing', examples: { nothing: {} }, headers: ['Set-Cookie'] },
      refusals: ['CSRF_REFUSED'],
    }),
  },
}
