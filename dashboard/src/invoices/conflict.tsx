import { invoiceFieldNames } from '@einvoicing/domain/invoice-fields'
import { Alert, Anchor, Button, Group, Text } from '@mantine/core'
import { Link } from 'wouter'
import { useTimeline, type Invoice } from '../api/invoice'
import { useFormats } from '../i18n/formats'
import { useLanguage } from '../i18n/texts'
import type { Catalogue } from '../i18n/catalogue'
import { useActorName } from '../components/actor-name'
import { DataTable } from '../components/data-table'
import { Icon } from '../components/icon'
import { toTypedDraft, type TextField, type TypedDraft, type TypedLine } from './draft'
import { adjustmentNames, type TypedAdjustment } from './typed-adjustments'

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

interface Difference {
  field: string
  mine: string
  theirs: string
}

function findDifferences(mine: TypedDraft, theirs: TypedDraft, texts: Catalogue): Difference[] {
  const [ours, others] = [flat(mine, texts), flat(theirs, texts)]
  return [...new Set([...ours.keys(), ...others.keys()])]
    .map((field) => ({ field, mine: ours.get(field) ?? '', theirs: others.get(field) ?? '' }))
    .filter((difference) => difference.mine !== difference.theirs)
}

/** Every field by its label in the form. */
function flat(typed: TypedDraft, { draft, invoice }: Catalogue): Map<string, string> {
  const lineNames = ['description', 'quantity', 'unit', 'unitPrice', 'vatRate'] as const
  const lineField = (line: TypedLine, index: number) =>
    [
      ...lineNames.map((name) => [draft[name], line[name]] as const),
      [draft.exemption, line.vatRate === '0' ? line.vatExemptionReason : ''] as const,
      ...adjustmentNames.map((name) => [draft[name], joinItems(line[name])] as const),
    ].map(([name, value]) => [`${draft.line(index + 1)}, ${name}`, value.trim()] as const)
  const labels = { ...draft, invoiceNumber: draft.number, invoiceDate: draft.date }
  const fields = invoiceFieldNames
    .filter((name): name is TextField => typeof typed[name as TextField] === 'string')
    .map((name) => {
      const value = name === 'paymentMethod' ? invoice.methods[typed[name]] : typed[name]
      return [labels[name], value] as const
    })
  const adjustments = adjustmentNames.map((name) => [draft[name], joinItems(typed[name])] as const)
  return new Map([...fields, ...adjustments, ...typed.lines.flatMap(lineField)])
}

const joinItems = (items: readonly TypedAdjustment[]): string =>
  items
    .map(({ reason, value, unit }) => `${reason} ${value}${unit === 'percent' ? ' %' : ''}`)
    .join(', ')
