import { useRef, type SyntheticEvent } from 'react'

/**
 * Handlers for the parent of fields that have a list: `onSettled` gets one whose value was picked,
 * or typed and left. While it is typed, a value may still become another one.
 */
export function useSettledFields(onSettled: (field: HTMLInputElement) => void) {
  const typed = useRef<HTMLInputElement>(undefined)
  return {
    onChange({ target, nativeEvent }: SyntheticEvent) {
      if (!hasList(target)) return
      const isPicked = isPick(nativeEvent)
      typed.current = isPicked ? undefined : target
      if (isPicked) onSettled(target)
    },
    onBlur() {
      const field = typed.current
      // Only the window lost the focus: the user comes back to the field.
      if (field && document.activeElement === field) return
      typed.current = undefined
      if (field && field.value.trim() !== '') onSettled(field)
    },
  }
}

const hasList = (target: EventTarget): target is HTMLInputElement =>
  target instanceof HTMLInputElement && target.list !== null

/** Some browsers report a choice from the list as an event without a type of input. */
const isPick = (event: Event): boolean =>
  !(event instanceof InputEvent) || event.inputType === 'insertReplacementText'
