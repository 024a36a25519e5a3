import { Alert, Anchor, Button, Group, Text } from '@mantine/core'
import { Link } from 'wouter'
import { useTimeline, type Invoice } from '../api/invoice'
import { useFormats } from '../i18n/formats'
import { useLanguage } from '../i18n/texts'
import { useActorName } from '../components/actor-name'
import { DataTable } from '../components/data-table'
import { Icon } from '../components/icon'
import { toTypedDraft, type TypedDraft } from './draft'
import { findDifferences } from './draft-differences'

export interface ConflictProps {
  mine: TypedDraft
  theirs: Invoice
  onTakeTheirs(): void
  onKeepMine(): void
}

export function Conflict({ mine, theirs, onTakeTheirs, onKeepMine }: ConflictProps) {
  const { language, texts } = useLanguage()
  const { draft, statuses } = texts
  if (theirs.status !== 'PENDING') {
    return (
      <Alert
        color="orange"
        icon={<Icon name="alert" />}
        role="alert"
        mb="md"
        title={draft.goneTitle(statuses[theirs.status])}
      >
        <Text size="sm">{draft.gone}</Text>
        <Anchor component={Link} href={`/invoices/${theirs.id}`} size="sm">
          {draft.see}
        </Anchor>
      </Alert>
    )
  }
  const differences = findDifferences(mine, toTypedDraft(theirs, language), texts)
  return (
    <Alert
      color="orange"
      icon={<Icon name="alert" />}
      role="alert"
      mb="md"
      title={draft.changedTitle}
    >
      <WhoChanged id={theirs.id} />
      {differences.length === 0 ? (
        <Text size="sm">{draft.same}</Text>
      ) : (
        <DataTable
          caption={draft.compare}
          columns={[
            { label: draft.field, cell: ({ field }) => field },
            { label: draft.mine, cell: ({ mine }) => mine || draft.empty },
            { label: draft.theirs, cell: ({ theirs }) => theirs || draft.empty },
          ]}
          rows={differences}
          getKey={({ field }) => field}
        />
      )}
      <Group mt="md">
        <Button variant="default" onClick={onTakeTheirs}>
          {draft.takeTheirs}
        </Button>
        <Button onClick={onKeepMine}>{draft.keepMine}</Button>
      </Group>
    </Alert>
  )
}

function WhoChanged({ id }: { id: string }) {
  const {
    texts: { draft },
  } = useLanguage()
  const formats = useFormats()
  const nameActor = useActorName()
  const newest = useTimeline(id).data?.at(-1)
  return (
    <Text size="sm" mb="xs">
      {newest
        ? draft.changedBy(nameActor(newest.actor).name, formats.exactTime(newest.at))
        : draft.changed}
    </Text>
  )
}
