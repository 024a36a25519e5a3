/**
 * How Mantine looks here. The values are in `theme.json`, of which the build also makes the CSS
 * variables: whatever Mantine would put into a style tag by itself is refused by our policy.
 */

import {
  Anchor,
  createTheme,
  Drawer,
  Modal,
  PasswordInput,
  type MantineThemeOverride,
} from '@mantine/core'
import values from './theme.json'

export const theme = createTheme({
  ...(values as MantineThemeOverride),
  components: {
    // The eye is for the mouse alone, and speaks English.
    PasswordInput: PasswordInput.extend({
      defaultProps: { visibilityToggleButtonProps: { 'aria-hidden': true } },
    }),
    // A link in a text is known without its colour.
    Anchor: Anchor.extend({ defaultProps: { underline: 'always' } }),
    // Locking the page's scroll would write a style tag.
    Modal: Modal.extend({ defaultProps: { lockScroll: false } }),
    Drawer: Drawer.extend({ defaultProps: { lockScroll: false } }),
  },
})
