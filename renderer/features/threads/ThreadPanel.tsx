import { useCallback, useEffect, useId, useRef, type KeyboardEvent } from 'react'
import { useTexts } from '../../i18n/index.ts'
import { useBreakpoint } from '../../lib/page/environment.ts'
import { useAppDispatch } from '../../store/hooks.ts'
import { panelClosed } from '../../store/window/ui.ts'
import { IconButton } from '../../ui/Button/IconButton.tsx'
import { Composer } from '../composer/index.ts'
import { showWide, type ThreadPlace } from './commands.ts'
import { Replies } from './Replies.tsx'
import { ThreadHead } from './ThreadHead.tsx'
import styles from './ThreadPanel.module.css'

/** A message and its replies in the side panel. */
export function ThreadPanel(place: ThreadPlace) {
  return <Thread key={place.parentId} {...place} />
}

function Thread({ cid, parentId }: ThreadPlace) {
  const t = useTexts('thread')
  const dispatch = useAppDispatch()
  const common = useTexts('common')
  const isNarrow = useBreakpoint() === 'narrow'
  const titleId = useId()
  const heading = useRef<HTMLHeadingElement>(null)
  useEffect(() => {
    if (document.activeElement?.matches('button:focus-visible') === true) {
      heading.current?.focus({ preventScroll: true })
    }
  }, [])
  const close = useCallback(() => dispatch(panelClosed()), [dispatch])
  const place = { cid, parentId }
  return (
    <section
      className={styles['panel']}
      aria-labelledby={titleId}
      onKeyDown={(event) => {
        if (!isPlainEscape(event)) return
        // One press closes one layer: the window must not handle the same key.
        event.preventDefault()
        close()
      }}
    >
      <ThreadHead
        {...place}
        id={titleId}
        heading={heading}
        where="panel"
        // In one column a panel covers the whole window, so it is left with Back.
        before={
          isNarrow ? <IconButton icon="arrow-left" label={common('back')} keys={['Esc']} onClick={close} /> : undefined
        }
        other={{ icon: 'monitor', label: t('head.wide'), onPress: () => dispatch(showWide(place)) }}
      >
        {isNarrow ? null : <IconButton icon="x" label={t('close')} keys={['Esc']} onClick={close} />}
      </ThreadHead>
      <Replies {...place} />
      <Composer {...place} />
    </section>
  )
}

/** Escape closes the panel unless something inside it used the key first. */
const isPlainEscape = (event: KeyboardEvent): boolean =>
  event.key === 'Escape' &&
  !event.defaultPrevented &&
  !event.nativeEvent.isComposing &&
  event.target instanceof Node &&
  event.currentTarget.contains(event.target)
