import { Badge, Button, Group, Text } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { useQueryClient } from '@tanstack/react-query'
import {
  endOtherSessions,
  endOwnSession,
  ownSessionsKey,
  useOwnSessions,
  type OpenSession,
} from '../api/own-sessions'
import { DataTable, type Column } from '../components/data-table'
import { ErrorAlert } from '../components/error-alert'
import { useSaving } from '../components/saving'
import { Loaded } from '../components/states'
import { useFormats } from '../i18n/formats'
import { useTexts } from '../i18n/texts'
import { describeDevice } from './device-name'

export function OwnSessions() {
  const { account } = useTexts()
  const query = useOwnSessions()
  const queries = useQueryClient()
  const refresh = () => void queries.invalidateQueries({ queryKey: ownSessionsKey })
  const others = useSaving({
    save: endOtherSessions,
    onSaved: ({ ended }) => {
      refresh()
      notifications.show({ message: account.ended(ended), color: 'green' })
    },
  })
  return (
    <Loaded query={query}>
      {(content) => (
        <>
          <SessionsTable content={content} onEnded={refresh} />
          <ErrorAlert error={others.error} />
          {content.length > 1 && (
            <Button
              mt="md"
              variant="default"
              h="auto"
              mih="2.25rem"
              py={6}
              // Its words are wider than a small phone.
              styles={{ label: { whiteSpace: 'normal' } }}
              loading={others.isSaving}
              onClick={() => others.run(undefined)}
            >
              {account.endOthers}
            </Button>
          )}
        </>
      )}
    </Loaded>
  )
}

interface SessionsTableProps {
  content: readonly OpenSession[]
  onEnded(): void
}

function SessionsTable({ content, onEnded }: SessionsTableProps) {
  const { account } = useTexts()
  const formats = useFormats()
  const ending = useSaving({ save: ({ id }: OpenSession) => endOwnSession(id), onSaved: onEnded })
  const columns: Column<OpenSession>[] = [
    {
      label: account.device,
      isLong: true,
      cell: ({ device, current }) => (
        <Group gap="xs">
          <Text inherit fw={600}>
            {describeDevice(device) || account.unknownDevice}
          </Text>
          {current && (
            <Badge variant="light" color="green" className="status-chip">
              {account.current}
            </Badge>
          )}
        </Group>
      ),
    },
    { label: account.network, cell: ({ network }) => network },
    { label: account.since, cell: ({ createdAt }) => formats.dateTime(createdAt) },
    { label: account.lastSeen, cell: ({ lastSeenAt }) => formats.ago(lastSeenAt) },
    {
      label: account.actions,
      cell: (session) =>
        !session.current && (
          <Button
            size="compact-sm"
            variant="subtle"
            color="red"
            aria-label={account.endOf(describeDevice(session.device))}
            disabled={ending.isSaving}
            onClick={() => ending.run(session)}
          >
            {account.end}
          </Button>
        ),
    },
  ]
  return (
    <>
      <DataTable
        caption={account.sessions}
        columns={columns}
        rows={content}
        getKey={({ id }) => id}
      />
      <ErrorAlert error={ending.error} />
    </>
  )
}
