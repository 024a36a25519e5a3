import { mentionNames, neededMentions, type LegalMention } from '@einvoicing/domain/legal-mentions'
import { Group, Progress, Text } from '@mantine/core'
import { useTexts } from '../i18n/texts'
import { findMentionError } from './mention-errors'

export interface CompletenessProps {
  values: Record<LegalMention, string>
  /** Saved, and the service needs no more. */
  isSaved: boolean
  isApproved: boolean
}

export function Completeness({ values, isSaved, isApproved }: CompletenessProps) {
  const { mentions } = useTexts()
  const isInvalid = (name: LegalMention) =>
    findMentionError(name, values[name], mentions.errors) !== null
  const missing = neededMentions.filter((name) => values[name].trim() === '')
  const invalid = mentionNames.filter(
    (name) => !missing.some((other) => other === name) && isInvalid(name),
  )
  const done = neededMentions.filter(
    (name) => values[name].trim() !== '' && !isInvalid(name),
  ).length
  const progress = mentions.progress(done, neededMentions.length)
  const listed = missing.length > 0 ? missing : invalid
  return (
    <div>
      <Group justify="space-between" mb={6}>
        <Text size="sm" fw={600} role="status">
          {missing.length > 0
            ? mentions.missing(missing.length)
            : invalid.length > 0
              ? mentions.invalid(invalid.length)
              : isSaved
                ? mentions.complete(isApproved)
                : mentions.toSave}
        </Text>
        <Text size="sm" c="dimmed">
          {progress}
        </Text>
      </Group>
      <Progress
        value={(done / neededMentions.length) * 100}
        color={isSaved && listed.length === 0 ? 'green' : 'indigo'}
        aria-label={progress}
      />
      {listed.length > 0 && (
        <Text size="sm" c="dimmed" mt={6}>
          {listed.map((name) => mentions.labels[name]).join(', ')}
        </Text>
      )}
    </div>
  )
}
