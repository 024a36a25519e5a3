/** To the other language, named in itself. */

import { Button } from '@mantine/core'
import { languages } from '../i18n/language'
import { useSpeaking } from '../i18n/texts'
import { Icon } from '../shown/icon'

export function LanguageSwitch() {
  const { language, texts, setLanguage } = useSpeaking()
  const other = languages.find((candidate) => candidate !== language) ?? language
  return (
    <Button
      variant="subtle"
      color="gray"
      size="compact-sm"
      lang={other}
      leftSection={<Icon name="globe" />}
      onClick={() => setLanguage(other)}
    >
      {texts.frame.languages[other]}
    </Button>
  )
}
