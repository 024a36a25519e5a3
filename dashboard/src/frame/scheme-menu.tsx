/** Light, dark, or as the system has it. */

import { ActionIcon, Menu, useMantineColorScheme } from '@mantine/core'
import { useTexts } from '../i18n/texts'
import { Icon, type IconName } from '../shown/icon'

const schemes = ['auto', 'light', 'dark'] as const
const icons: Record<(typeof schemes)[number], IconName> = {
  auto: 'system',
  light: 'sun',
  dark: 'moon',
}

export function SchemeMenu() {
  const { frame } = useTexts()
  const { colorScheme, setColorScheme } = useMantineColorScheme()
  return (
    <Menu position="bottom-end">
      <Menu.Target>
        <ActionIcon variant="subtle" color="gray" size="lg" aria-label={frame.scheme}>
          <Icon name={icons[colorScheme]} size={18} />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        {schemes.map((scheme) => (
          <Menu.Item
            key={scheme}
            role="menuitemradio"
            aria-checked={scheme === colorScheme}
            leftSection={<Icon name={icons[scheme]} />}
            rightSection={scheme === colorScheme ? <Icon name="check" /> : null}
            onClick={() => setColorScheme(scheme)}
          >
            {frame.schemes[scheme]}
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  )
}
