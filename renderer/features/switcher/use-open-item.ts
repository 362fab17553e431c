import type { OpenTarget } from '../../lib/open-target.ts'
import { useAppDispatch } from '../../store/hooks.ts'
import { dialogClosed, searchOpened } from '../../store/window/ui.ts'
import { commandFailed } from '../../store/command.ts'
import { openDirect } from '../sidebar/index.ts'
import { openSaved } from '../search/index.ts'
import { openChannel } from '../windows/index.ts'
import type { SwitcherItem } from './use-items.ts'

const PLACES = { message: '[data-message-id]', composer: '[data-composer]' } as const

/** Whether an item can be opened now: actions on a message need the focus to have been on one. */
export function isReady(item: SwitcherItem, opener: Element | null): boolean {
  if (item.kind !== 'action' || item.action.run !== undefined) return true
  const { press, place } = item.action
  return press !== undefined && place !== undefined && opener?.matches(PLACES[place]) === true
}

/** Closes the switcher and opens the place or runs the action. A failure to open a direct conversation raises a notice. */
export function useOpenItem(opener: Element | null): (item: SwitcherItem | undefined, target?: OpenTarget) => void {
  const dispatch = useAppDispatch()
  return (item, target = 'here') => {
    if (item === undefined || !isReady(item, opener)) return
    dispatch(dialogClosed())
    switch (item.kind) {
      case 'channel':
        dispatch(openChannel(item.cid, target))
        return
      case 'search':
        dispatch(searchOpened({ text: item.text }))
        return
      case 'saved':
        dispatch(openSaved(item.search))
        return
      case 'person':
        void dispatch(openDirect({ userIds: [item.userId] })).then((opened) =>
          opened.ok
            ? dispatch(openChannel(opened.value, target))
            : dispatch(commandFailed({ type: 'channels/directOpened', error: opened.error })),
        )
        return
      case 'action':
        if (item.action.run !== undefined) item.action.run()
        else if (item.action.press !== undefined) pressOn(opener, item.action.press)
    }
  }
}

/** Focuses the element that had the focus before, and dispatches the key press to it. */
function pressOn(opener: Element | null, press: KeyboardEventInit): void {
  requestAnimationFrame(() => {
    if (!(opener instanceof HTMLElement) || !opener.isConnected) return
    opener.focus({ preventScroll: true })
    opener.dispatchEvent(new KeyboardEvent('keydown', { ...press, bubbles: true, cancelable: true }))
  })
}
