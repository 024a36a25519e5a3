/** The paths to a session: signing up, in and out. */

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
const identity = { organizationId, email: credentials.email }

export const accountPaths: Paths = {
  '/dashboard/api/signup': {
    post: operation({
      id: 'signUp',
      tag,
      summary: 'Make an organization and its first user; opens a session.',
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
      description: 'Clears the cookie.',
      caller: 'anyone',
      parameters,
      answer: { data: 'Nothing', examples: { nothing: {} }, headers: ['Set-Cookie'] },
      refusals: ['CSRF_REFUSED'],
    }),
  },
}
