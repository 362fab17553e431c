import { useCallback, useEffect, useId, useRef, type KeyboardEvent } from 'react'
import { useTexts } from '../../i18n/index.ts'
import { useBreakpoint } from '../../lib/page/environment.ts'
import { useAppDispatch, useAppSelector, useAppServices } from '../../store/hooks.ts'
import { panelClosed, wentBack } from '../../store/window/ui.ts'
import { IconButton } from '../../ui/Button/IconButton.tsx'
import { Composer } from '../composer/index.ts'
import { showWide, type ThreadPlace, showInChannel } from './commands.ts'
import { Replies } from './Replies.tsx'
import { ThreadHead } from './ThreadHead.tsx'
import styles from './ThreadPanel.module.css'
import { ConnectionBanner } from '../connection/index.ts'

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

/** A thread in the full view, or in a separate window. */
export function ThreadView({ cid, parentId }: ThreadPlace) {
  const t = useTexts('thread')
  const dispatch = useAppDispatch()
  const id = useId()
  const heading = useRef<HTMLHeadingElement>(null)
  const canGoBack = useAppSelector((state) => state.ui.back.length > 0)
  useEffect(() => {
    if (document.activeElement === document.body) heading.current?.focus({ preventScroll: true })
  }, [])
  const place = { cid, parentId }
  // A separate window has nothing to go back to.
  const alone = useAppServices().own?.parentId === parentId
  const leave = (): void => {
    if (canGoBack) dispatch(wentBack())
    else dispatch(showInChannel(place))
  }
  return (
    <main className={styles['sheet']} aria-labelledby={id}>
      <ThreadHead
        {...place}
        id={id}
        heading={heading}
        where={alone ? 'window' : 'sheet'}
        before={alone ? undefined : <IconButton icon="arrow-left" label={t('head.backThreads')} onClick={leave} />}
        {...(alone
          ? {}
          : {
              other: {
                icon: 'panel-right' as const,
                label: t('head.beside'),
                onPress: () => dispatch(showInChannel(place)),
              },
            })}
      />
      <ConnectionBanner />
      <div className={styles['wide']} data-region="messages">
        <Replies {...place} />
      </div>
      <div className={styles['wideComposer']} data-region="composer">
        <Composer {...place} />
      </div>
    </main>
  )
}
