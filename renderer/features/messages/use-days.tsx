import { useCallback, useState, type ReactNode } from 'react'
import type { Cid, MessageId } from '#shared/lib/brand.ts'
import { useTexts } from '../../i18n/index.ts'
import { announce } from '../../lib/announce.ts'
import { useAppDispatch, useAppSelector } from '../../store/hooks.ts'
import { dayAnswered, dayAsked } from '../../store/overlays.ts'
import { messageAt } from './commands.ts'
import { DayDialog, DayMenu } from './JumpToDay.tsx'

type Options = {
  readonly cid: Cid
  /** Only a channel's own list answers; a thread has no days. */
  readonly listening: boolean
  readonly onJump: (messageId: MessageId) => void
  readonly onNewest: () => void
}

/** Going to a day: from a day's line, or from the quick switcher. The way there is the one of every jump. */
export function useDays({ cid, listening, onJump, onNewest }: Options): {
  readonly open: (anchor: Element) => void
  readonly overlays: ReactNode
} {
  const t = useTexts('messages')
  const dispatch = useAppDispatch()
  const asked = useAppSelector(({ overlays }) => listening && overlays.day === cid)
  const [anchor, setAnchor] = useState<Element>()
  const close = useCallback(() => setAnchor(undefined), [])
  const go = async (at: number): Promise<void> => {
    const found = await dispatch(messageAt({ cid, at }))
    if (!found.ok) return
    if (found.value === null) announce(t('jump.nothing'))
    else onJump(found.value)
  }
  return {
    open: setAnchor,
    overlays: (
      <>
        {anchor === undefined ? null : (
          <DayMenu
            anchor={anchor}
            onDay={(at) => void go(at)}
            onNewest={onNewest}
            onPick={() => dispatch(dayAsked({ cid }))}
            onClose={close}
          />
        )}
        {asked ? <DayDialog onDay={(at) => void go(at)} onClose={() => void dispatch(dayAnswered())} /> : null}
      </>
    ),
  }
}
