import { ActionIcon, Menu, useMantineColorScheme, type MantineColorScheme } from '@mantine/core'
import { useTexts } from '../i18n/texts'
import { Icon, type IconName } from '../components/icon'

const schemes = ['auto', 'light', 'dark'] as const
const icons: Record<MantineColorScheme, IconName> = { auto: 'system', light: 'sun', dark: 'moon' }

export function SchemeMenu() {
  const { frame } = useTexts()
  // Without transitions it would write a style tag.
  const { colorScheme, setColorScheme } = useMantineColorScheme({ keepTransitions: true })
  const choose = (value: string) => setColorScheme(value as MantineColorScheme)
  return (
    <Menu position="bottom-end">
      <Menu.Target>
        <ActionIcon variant="subtle" color="gray" size="lg" aria-label={frame.scheme}>
          <Icon name={icons[colorScheme]} size={18} />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.RadioGroup value={colorScheme} onChange={choose}>
          {schemes.map((scheme) => (
            <Menu.RadioItem
              key={scheme}
              value={scheme}
              closeMenuOnClick
              rightSection={<Icon name={icons[scheme]} />}
            >
              {frame.schemes[scheme]}
            </Menu.RadioItem>
          ))}
        </Menu.RadioGroup>
      </Menu.Dropdown>
    </Menu>
  )
}
