/** What went wrong, in the reader's language, with the service's own sentence as detail. */

import { Alert, Text } from '@mantine/core'
import { Refused } from '../api/connection'
import type { Catalogue } from '../i18n/catalogue'
import { useSpeaking } from '../i18n/texts'
import { Icon } from './icon'

/** One sentence for an error of any kind. */
export function sentenceOf(error: unknown, texts: Catalogue): string {
  if (!(error instanceof Refused)) return texts.frame.unreachable
  return texts.refusals.byCode[error.code] ?? error.message
}

export function Refusal({ error }: { error: unknown }) {
  const { language, texts } = useSpeaking()
  if (error === null || error === undefined) return null
  const sentence = sentenceOf(error, texts)
  const detail = error instanceof Refused && error.message !== sentence && error.message
  return (
    <Alert color="red" icon={<Icon name="alert" />} role="alert" variant="light">
      <Text size="sm" fw={500}>
        {sentence}
      </Text>
      {detail && (
        <Text size="xs" mt={4} lang={language === 'en' ? undefined : 'en'}>
          {detail}
        </Text>
      )}
    </Alert>
  )
}
