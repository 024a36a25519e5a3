import { Anchor, Text } from '@mantine/core'
import { Link } from 'wouter'
import type { Organization } from '../api/organization'
import { useTexts } from '../i18n/texts'
import { MentionsForm } from '../organization/mentions-form'
import { useRights } from '../session/session'
import { Step, type StepState } from './step'

export interface MentionsStepProps {
  state: StepState
  organization: Organization
}

export function MentionsStep({ state, organization }: MentionsStepProps) {
  const { start } = useTexts()
  const { canManage } = useRights()
  return (
    <Step number={2} title={start.mentions.title} state={state}>
      {state === 'done' ? (
        <Text size="sm">
          {start.mentions.done(organization.name ?? '')}{' '}
          {canManage && (
            <Anchor component={Link} href="/organization" size="sm">
              {start.mentions.change}
            </Anchor>
          )}
        </Text>
      ) : (
        <>
          <Text c="dimmed" mb="md">
            {canManage ? start.mentions.lead : start.mentions.ownerOnly}
          </Text>
          <MentionsForm organization={organization} />
        </>
      )}
    </Step>
  )
}
