/** Where the bare address leads: a newcomer to the first steps. */

import { Redirect } from 'wouter'

export function Home() {
  return <Redirect to="/start" replace />
}
