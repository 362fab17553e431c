import { useEffect, useRef, useState, type KeyboardEvent } from 'react'
import { createPortal } from 'react-dom'
import { useTexts } from '../../i18n/index.ts'
import { tabStops, useReturnFocus } from '../../lib/focus.ts'
import { cx } from '../../lib/cx.ts'
import { IconButton } from '../../ui/IconButton.tsx'
import { Picture } from './Picture.tsx'
import { useDownload } from './use-download.ts'
import styles from './Viewer.module.css'

export type ViewerItem = { readonly mediaKey: string; readonly name: string; readonly alt: string }

type Props = { readonly items: readonly ViewerItem[]; readonly start: number; readonly onClose: () => void }

const ZOOMS = [1, 1.5, 2, 3] as const

/** Pictures over everything else. Arrows turn the pages, plus and minus zoom, Escape closes. */
export function Viewer({ items, start, onClose }: Props) {
  const t = useTexts('messages')
  const ref = useRef<HTMLDivElement>(null)
  const [at, setAt] = useState(start)
  const [zoom, setZoom] = useState(0)
  const item = items[at] ?? items[0]
  useReturnFocus()
  useEffect(() => {
    ref.current?.focus({ preventScroll: true })
  }, [])
  if (item === undefined) return null
  const turn = (step: number): void => {
    setZoom(0)
    setAt((now) => Math.max(0, Math.min(items.length - 1, now + step)))
  }
  const grow = (step: number): void => setZoom((now) => Math.max(0, Math.min(ZOOMS.length - 1, now + step)))
  const onKeyDown = (event: KeyboardEvent): void => {
    const act: Readonly<Record<string, () => void>> = {
      Escape: onClose,
      ArrowLeft: () => turn(-1),
      ArrowRight: () => turn(1),
      Home: () => turn(-items.length),
      End: () => turn(items.length),
      '+': () => grow(1),
      '=': () => grow(1),
      '-': () => grow(-1),
      '0': () => setZoom(0),
    }
    if (event.key === 'Tab') return keepInside(event, ref.current)
    if (event.ctrlKey || event.metaKey || event.altKey) return
    const run = act[event.key]
    event.stopPropagation()
    if (run === undefined) return
    event.preventDefault()
    run()
  }
  return createPortal(
    <div
      ref={ref}
      role="dialog"
      aria-modal="true"
      aria-label={t('viewer.label', { index: at + 1, total: items.length })}
      tabIndex={-1}
      data-returns-focus=""
      className={styles['viewer']}
      onKeyDown={onKeyDown}
    >
      <ViewerBar item={item} zoomed={zoom > 0} onZoom={() => (zoom > 0 ? setZoom(0) : grow(1))} onClose={onClose} />
      <div className={cx(styles['stage'], zoom > 0 && styles['zoomed'])}>
        <div
          className={styles['frame']}
          style={
            zoom > 0 ? { width: `${(ZOOMS[zoom] ?? 1) * 100}%`, height: `${(ZOOMS[zoom] ?? 1) * 100}%` } : undefined
          }
        >
          <Picture key={item.mediaKey} mediaKey={item.mediaKey} variant="full" alt={item.alt} />
        </div>
      </div>
      {items.length < 2 ? null : (
        <>
          <span className={styles['previous']}>
            <IconButton
              icon="chevron-left"
              label={t('viewer.previous')}
              aria-disabled={at === 0}
              onClick={() => turn(-1)}
            />
          </span>
          <span className={styles['next']}>
            <IconButton
              icon="chevron-right"
              label={t('viewer.next')}
              aria-disabled={at === items.length - 1}
              onClick={() => turn(1)}
            />
          </span>
        </>
      )}
      <p className={styles['place']} aria-live="polite">
        {t('viewer.place', { index: at + 1, total: items.length })}
      </p>
    </div>,
    document.body,
  )
}

type BarProps = {
  readonly item: ViewerItem
  readonly zoomed: boolean
  readonly onZoom: () => void
  readonly onClose: () => void
}

function ViewerBar({ item, zoomed, onZoom, onClose }: BarProps) {
  const t = useTexts('messages')
  const download = useDownload(item.mediaKey, item.name === '' ? t('media.photo') : item.name)
  return (
    <div className={styles['bar']}>
      <bdi className={cx(styles['title'], 'ellipsis')}>{item.name}</bdi>
      <IconButton icon="zoom" label={t('viewer.zoom')} pressed={zoomed} onClick={onZoom} />
      <IconButton icon="download" label={t('viewer.save')} onClick={download.start} />
      <IconButton icon="x" label={t('viewer.close')} onClick={onClose} />
    </div>
  )
}

function keepInside(event: KeyboardEvent, root: HTMLElement | null): void {
  if (root === null) return
  const stops = tabStops(root)
  const edge = event.shiftKey ? stops[0] : stops.at(-1)
  if (document.activeElement !== edge && document.activeElement !== root) return
  event.preventDefault()
  ;(event.shiftKey ? stops.at(-1) : stops[0])?.focus()
}
