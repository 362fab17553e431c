import { useCallback, useLayoutEffect, useMemo, useRef, type RefObject } from 'react'
import type { SearchHit } from '#shared/domain/search.ts'
import { useTexts } from '../../../i18n/index.ts'
import { useRoving } from '../../../lib/page/roving.ts'
import type { OpenTarget } from '../../../lib/open-target.ts'
import { useAppDispatch, useAppSelector } from '../../../store/hooks.ts'
import { Icon } from '../../../ui/Icon/Icon.tsx'
import { useCopying } from '../../messages/index.ts'
import { openHit, openInChannel, openThreadAt } from '../commands.ts'
import { Hit } from './Hit.tsx'
import type { Found, Results } from './results.ts'
import styles from '../Search.module.css'

type Props = {
  readonly results: Results
  readonly found: Found
  /** Arrow Up in the first row moves the focus to the field. */
  readonly onUp: () => void
}

/** The next page is requested this far before the end comes into view. */
const AHEAD_PX = 600

/** Results, newest first; older pages load while scrolling. Restores its scroll position on return. */
export function HitList({ results, found, onUp }: Props) {
  const t = useTexts('search')
  const dispatch = useAppDispatch()
  const { hits } = found
  const ids = useMemo(() => hits.map(({ messageId }) => messageId), [hits])
  const { containerProps, itemProps } = useRoving({ ids, pageSize: 8, initialId: results.place().activeId })
  const { ref, onFocus, onKeyDown } = containerProps
  const openId = useAppSelector(({ ui: { panel, jump } }) =>
    panel?.kind === 'context' ? panel.messageId : panel?.kind === 'thread' ? jump?.messageId : undefined,
  )
  const onOpen = useCallback((hit: SearchHit, target: OpenTarget) => dispatch(openHit(hit, target)), [dispatch])
  const onJump = useCallback((hit: SearchHit) => dispatch(openInChannel(hit)), [dispatch])
  const onThread = useCallback((hit: SearchHit) => dispatch(openThreadAt(hit)), [dispatch])
  const copying = useCopying()
  const onLink = useCallback(({ cid, messageId }: SearchHit) => copying.link({ cid, id: messageId }), [copying])
  const { scroller, fill } = useScrolling(results, found)
  return (
    <div
      ref={scroller}
      className={styles['view']}
      data-region="messages"
      onScroll={(event) => fill(event.currentTarget)}
      aria-busy={found.busy !== 'none'}
    >
      <ul
        ref={ref as RefObject<HTMLUListElement | null>}
        className={styles['list']}
        aria-label={t('list')}
        onFocus={(event) => {
          onFocus(event)
          results.leave({ activeId: event.target.closest<HTMLElement>('li')?.dataset['hit'] })
        }}
        onKeyDown={(event) => {
          const isFirst =
            event.target instanceof Element && event.target.closest('li') === event.currentTarget.firstChild
          if (event.key === 'ArrowUp' && isFirst && !event.altKey) {
            event.preventDefault()
            onUp()
          } else onKeyDown(event)
        }}
      >
        {hits.map((hit) => (
          <Hit
            key={hit.messageId}
            hit={hit}
            author={found.people[hit.userId]}
            channel={found.channels[hit.cid]}
            isOpen={hit.messageId === openId}
            item={itemProps(hit.messageId)}
            onOpen={onOpen}
            onJump={onJump}
            onThread={onThread}
            onLink={onLink}
          />
        ))}
      </ul>
      <End found={found} />
    </div>
  )
}

/** Restores the scroll position. `fill` loads the next page near the end. */
function useScrolling(results: Results, found: Found) {
  const scroller = useRef<HTMLDivElement>(null)
  useLayoutEffect(() => {
    const element = scroller.current
    if (element === null) return undefined
    element.scrollTop = results.place().scrollTop
    // Returning by keyboard focuses the row that was opened.
    if (document.activeElement === document.body) {
      element.querySelector<HTMLElement>('[data-roving-id][tabindex="0"]')?.focus({ preventScroll: true })
    }
    return () => {
      results.leave({ scrollTop: element.scrollTop })
    }
  }, [results])
  const fill = (element: HTMLElement): void => {
    if (element.scrollHeight - element.scrollTop - element.clientHeight < AHEAD_PX) void results.more()
  }
  // A new query starts at the top; a page that does not fill the view requests the next.
  useLayoutEffect(() => {
    const element = scroller.current
    if (element === null) return
    if (found.busy === 'searching' && results.place().scrollTop === 0) element.scrollTop = 0
    if (found.busy === 'none') fill(element)
  })
  return { scroller, fill }
}

function End({ found }: { readonly found: Found }) {
  const t = useTexts('search')
  const isOver = found.next === undefined && found.busy === 'none'
  return (
    <p className={styles['end']}>
      {isOver ? null : <Icon name="refresh" size={16} />}
      {isOver ? t('end') : found.busy === 'more' ? t('more') : t('searching')}
    </p>
  )
}
