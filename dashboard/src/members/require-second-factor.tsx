import { Paper, Switch, Text } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { requireSecondFactor, secondFactorsKey, useSecondFactors } from '../api/second-factor'
import { ErrorAlert } from '../components/error-alert'
import { useSaving } from '../components/saving'
import { useTexts } from '../i18n/texts'
import { useSessionState } from '../session/session'

/** An owner without a second factor must set it up at once. */
export function RequireSecondFactor() {
  const { security } = useTexts()
  const { data: factors } = useSecondFactors()
  const { retry } = useSessionState()
  const queries = useQueryClient()
  const saving = useSaving({
    save: requireSecondFactor,
    onSaved: () => {
      void queries.invalidateQueries({ queryKey: secondFactorsKey })
      retry()
    },
  })
  if (!factors) return null
  return (
    <Paper className="panel" mt="md">
      <Switch
        label={security.require}
        checked={factors.required}
        disabled={saving.isSaving}
        onChange={({ currentTarget }) => saving.run(currentTarget.checked)}
      />
      <Text size="sm" c="dimmed" mt="xs">
        {security.requireHint}
      </Text>
      <ErrorAlert error={saving.error} />
    </Paper>
  )
}
