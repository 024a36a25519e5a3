import { useState } from 'react'
import { useApiKeys, type NewApiKey } from '../api/api-keys'
import { useFirstInvoice } from '../api/invoices'
import { useOrganization } from '../api/organization'
import { useTexts } from '../i18n/texts'
import { useSession } from '../session/session'
import { Page } from '../components/page'
import { Lines, Loaded } from '../components/states'
import { isActive } from '../keys/key-state'
import { FirstInvoice } from './first-invoice'
import { KeyStep } from './key-step'
import { MentionsStep } from './mentions-step'
import { Step, type StepState } from './step'
import classes from './start.module.css'

export function Start() {
  const { start } = useTexts()
  const { email } = useSession()
  const organization = useOrganization()
  const apiKeys = useApiKeys()
  const firstInvoice = useFirstInvoice()
  const [made, setMade] = useState<NewApiKey>()
  return (
    <Page title={start.title} lead={start.lead}>
      <Loaded query={organization} skeleton={<Lines count={4} height={120} />}>
        {(mentions) => {
          const hasKey =
            made !== undefined || (apiKeys.data ?? []).some((apiKey) => isActive(apiKey))
          const done = [
            true,
            mentions.missing.length === 0,
            hasKey,
            firstInvoice.data?.status === 'ACCEPTED',
          ]
          const findStepState = (index: number): StepState => {
            if (done[index]) return 'done'
            return index === done.indexOf(false) ? 'now' : 'later'
          }
          return (
            <ol className={classes['steps']} aria-label={start.steps}>
              <Step number={1} title={start.account.title} state="done">
                {start.account.done(email)}
              </Step>
              <MentionsStep state={findStepState(1)} organization={mentions} />
              <KeyStep state={findStepState(2)} made={made} onMade={setMade} />
              <Step number={4} title={start.invoice.title} state={findStepState(3)}>
                {(done[1] || firstInvoice.data) && (
                  <FirstInvoice made={made} invoice={firstInvoice.data ?? null} />
                )}
              </Step>
            </ol>
          )
        }}
      </Loaded>
    </Page>
  )
}
