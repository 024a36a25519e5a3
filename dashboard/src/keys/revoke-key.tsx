import { Text } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { useQueryClient } from '@tanstack/react-query'
import { apiKeysKey, revokeApiKey, type ApiKey } from '../api/api-keys'
import { useFormats } from '../i18n/formats'
import { useTexts } from '../i18n/texts'
import { Confirm } from '../components/confirm'
import { useSaving } from '../components/saving'

export function RevokeKey({ apiKey, onClose }: { apiKey: ApiKey; onClose: () => void }) {
  const { keys } = useTexts()
  const formats = useFormats()
  const queries = useQueryClient()
  const saving = useSaving({
    save: () => revokeApiKey(apiKey.id),
    onSaved: () => {
      void queries.invalidateQueries({ queryKey: apiKeysKey })
      notifications.show({ message: keys.revokedToast(apiKey.name) })
      onClose()
    },
  })
  return (
    <Confirm
      isOpen
      title={keys.revokeTitle(apiKey.name)}
      action={keys.revoke}
      saving={saving}
      onConfirm={() => saving.run(undefined)}
      onClose={onClose}
    >
      <Text size="sm">{keys.revokeHint}</Text>
      {apiKey.lastUsedAt !== null && (
        <Text size="sm" fw={600}>
          {keys.lastUsedHint(formats.ago(apiKey.lastUsedAt))}
        </Text>
      )}
    </Confirm>
  )
}
