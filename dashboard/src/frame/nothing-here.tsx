/** An address that is none of ours. */

import { Anchor } from '@mantine/core'
import { Link } from 'wouter'
import { useTexts } from '../i18n/texts'
import { Page } from '../shown/page'

export function NothingHere() {
  const { frame } = useTexts()
  return (
    <Page title={frame.nothingHere} lead={frame.nothingHereTold}>
      <Anchor component={Link} href="/">
        {frame.home}
      </Anchor>
    </Page>
  )
}
