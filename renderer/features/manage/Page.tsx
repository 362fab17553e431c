import {
  useCallback,
  useEffect,
  useRef,
  type KeyboardEvent,
  type ReactNode,
  type ComponentProps,
  useState,
} from 'react'
import type { ManageRight } from '#shared/domain/manage/manage.ts'
import type { ErrorBody, Result } from '#shared/lib/app-error.ts'
import { useTexts, useErrorText, useRemark } from '../../i18n/index.ts'
import { cx } from '../../lib/cx.ts'
import { useBreakpoint } from '../../lib/page/environment.ts'
import { tabStops, NEW_BUTTON } from '../../lib/page/focus.ts'
import { spokenKeys } from '../../lib/text/chords.ts'
import { View } from '../../ui/View/View.tsx'
import { useConnection } from '../../store/hooks.ts'
import { useShortcut } from '../../app/keys/shortcuts.tsx'
import { Tooltip } from '../../ui/Popover/Popover.tsx'
import { Button, IconButton } from '../../ui/Button/Button.tsx'
import { Empty, Skeleton } from '../../ui/View/Empty.tsx'
import { announce } from '../../lib/page/announce.ts'
import { Icon, type IconName } from '../../ui/Icon/Icon.tsx'
import { ConnectionBanner } from '../connection/index.ts'
import type { PagesOf } from './loading.ts'
import { useMayManage } from './state.ts'
import { Dialog, DialogText, Refusal } from '../../ui/Dialog/Dialog.tsx'
import styles from './Manage.module.css'

type Props = {
  readonly icon: IconName
  readonly title: string
  /** One fact beside the title, such as how many are waiting. */
  readonly fact?: string
  /** In a single column: goes back to the list of pages. */
  readonly onBack?: () => void
  /** At the end of the head: a switch of views, one action. */
  readonly actions?: ReactNode
  /** Pills that narrow a list. */
  readonly filters?: ReactNode
  /** What follows from the main column, at its end; absent where the window is too narrow for it. */
  readonly aside?: ReactNode
  /** What stands beside is read as closely as what it follows from. */
  readonly asideWide?: boolean
  /** In a single column, while a deeper level of the page is shown: the arrow and Escape go one level up. */
  readonly onUp?: () => void
  /** Details of the open row. They cover the list where both do not fit. */
  readonly panel?: ReactNode
  /** Escape in the list or in the panel. */
  readonly onClosePanel?: () => void
  /** A decision about what is shown. */
  readonly foot?: ReactNode
  readonly children: ReactNode
}

/** The frame of a page of administration: head, filters, list, foot, and what stands beside them. */
export function Page({
  icon,
  title,
  fact,
  onBack,
  onUp,
  actions,
  filters,
  aside,
  asideWide = false,
  panel,
  onClosePanel,
  foot,
  children,
}: Props) {
  const common = useTexts('common')
  const breakpoint = useBreakpoint()
  const covers = panel !== undefined && (breakpoint === 'small' || breakpoint === 'narrow')
  const list = useRef<HTMLDivElement>(null)
  const beside = useRef<HTMLDivElement>(null)
  const isDeeper = onUp !== undefined
  useEffect(() => {
    // The list is gone from under the focus.
    const current = covers ? beside.current : isDeeper ? list.current : null
    if (current !== null && !current.contains(document.activeElement)) tabStops(current)[0]?.focus()
  }, [covers, isDeeper])
  const back = onUp ?? onBack
  const close = panel === undefined ? onUp : onClosePanel
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.key !== 'Escape' || event.defaultPrevented || close === undefined) return
    // Escape would leave administration.
    event.stopPropagation()
    close()
  }
  return (
    <View
      icon={icon}
      title={title}
      subtitle={fact}
      back={back && { label: common('back'), onPress: back }}
      actions={actions}
      banner={
        <>
          <ConnectionBanner />
          {filters === undefined || covers ? null : <div className={styles['filters']}>{filters}</div>}
        </>
      }
    >
      <div role="presentation" className={styles['columns']} onKeyDown={onKeyDown}>
        {covers ? null : (
          <div className={styles['main']}>
            <div ref={list} className={styles['list']}>
              {children}
            </div>
            {foot === undefined ? null : <footer className={styles['foot']}>{foot}</footer>}
          </div>
        )}
        {panel === undefined ? null : (
          <div ref={beside} className={styles['panel']}>
            {panel}
          </div>
        )}
        {aside === undefined || breakpoint !== 'wide' ? null : (
          <div className={cx(styles['aside'], asideWide && styles['asideWide'])}>{aside}</div>
        )}
      </div>
    </View>
  )
}

type NewProps = Omit<ComponentProps<typeof Button>, 'icon' | 'title' | 'aria-disabled'> & {
  /** Why nothing can be made now. */
  readonly blocked?: string
}

/** Makes another one of what the page lists; the keys of a new message press it. */
export function NewButton({ blocked, onClick, children, ...rest }: NewProps) {
  const keys = useShortcut('newMessage')
  return (
    <Tooltip text={blocked ?? children} keys={keys} describes={blocked !== undefined}>
      <Button
        {...rest}
        {...NEW_BUTTON}
        icon="plus"
        aria-keyshortcuts={spokenKeys(keys)}
        aria-disabled={blocked === undefined ? undefined : true}
        onClick={blocked === undefined ? onClick : undefined}
      >
        {children}
      </Button>
    </Tooltip>
  )
}

/** Moves the focus to this row of the list. */
export const focusRow = (id: string): void =>
  document.querySelector<HTMLElement>(`[data-roving-id="${CSS.escape(id)}"]`)?.focus()

/** Closes the panel; the focus goes back to the row that it was about. */
export function useReturnToRow(openId: string | undefined, setOpenId: (id: undefined) => void): () => void {
  const leaving = useRef<string>(undefined)
  useEffect(() => {
    const { current: id } = leaving
    leaving.current = undefined
    if (id === undefined || openId !== undefined) return
    focusRow(id)
  }, [openId])
  return useCallback(() => {
    leaving.current = openId
    setOpenId(undefined)
  }, [openId, setOpenId])
}

type ListedProps = {
  readonly list: Pick<PagesOf<unknown>, 'rows' | 'loading' | 'error' | 'again'> & { readonly asking?: boolean }
  /** What is shown when there is nothing: a sentence, and what to do. */
  readonly empty: Pick<ComponentProps<typeof Empty>, 'scene' | 'title' | 'children' | 'action'>
  readonly children: ReactNode
}

/** A list, or why there is none: loading, refused, without a connection, empty. */
export function Listed({ list, empty, children }: ListedProps) {
  const t = useTexts('manage')
  const common = useTexts('common')
  const errorText = useErrorText()
  const { offline } = useConnection()
  if (list.rows.length > 0) return children
  if (list.loading) {
    return (
      <div className={styles['waiting']} role="status" aria-label={common('loading')}>
        {WIDTHS.map((width) => (
          <Skeleton key={width} width={`${width}%`} height={14} />
        ))}
      </div>
    )
  }
  if (list.error !== undefined) {
    return (
      <Empty
        scene={offline ? 'offline' : 'lines'}
        title={offline ? t('offline.title') : t('failed.title')}
        action={
          <Button working={list.asking} onClick={list.again}>
            {t('failed.again')}
          </Button>
        }
      >
        {offline ? t('offline.text') : errorText(list.error)}
      </Empty>
    )
  }
  return <Empty {...empty} />
}

const WIDTHS = [62, 48, 71, 55, 66, 43]

type BulkBarProps = {
  readonly count: number
  readonly onClear: () => void
  /** Buttons. */
  readonly children: ReactNode
}

/** Floats over the lower edge of a list while rows are selected: how many, and what can be done with them. */
export function BulkBar({ count, onClear, children }: BulkBarProps) {
  const t = useTexts('manage')
  useEffect(() => announce(t('selected', { count })), [t, count])
  return (
    <div role="toolbar" aria-label={t('selected', { count })} className={styles['bulk']}>
      <span className={styles['bulkCount']}>{t('selected', { count })}</span>
      {children}
      <IconButton icon="x" label={t('clearSelection')} onClick={onClear} />
    </div>
  )
}

type NeedsProps = {
  readonly right: ManageRight
  /** The control; shown only to those who have the right. */
  readonly children: ReactNode
}

/** A control, or in its place the right that it needs, in words. */
export function Needs({ right, children }: NeedsProps) {
  const t = useTexts('manage')
  if (useMayManage(right)) return children
  return (
    <span className={styles['needs']}>
      <Icon name="lock" size={14} />
      {t('needs', { right: t(`rights.${right}`) })}
    </span>
  )
}

type QuestionProps = {
  readonly title: string
  /** Paragraphs. */
  readonly texts: readonly string[]
  readonly confirm: string
  /** Announced afterwards. */
  readonly done?: string
  /** Why it cannot be confirmed now. */
  readonly blocked?: string
  readonly onConfirm: () => Promise<Result<unknown, ErrorBody>>
  readonly onClose: () => void
  /** Afterwards, when it is closed. */
  readonly onDone?: () => void
}

/** Asks before something is done that cannot be undone; a refusal is shown in place. */
export function Question({ title, texts, confirm, done, blocked, onConfirm, onClose, onDone }: QuestionProps) {
  const common = useTexts('common')
  const [working, setWorking] = useState(false)
  const refusal = useRemark()
  const submit = async (): Promise<void> => {
    if (blocked !== undefined || working) return
    refusal.clear()
    setWorking(true)
    const result = await onConfirm()
    setWorking(false)
    if (!result.ok) return refusal.refuse(result.error)
    if (done !== undefined) announce(done)
    onClose()
    onDone?.()
  }
  return (
    <Dialog
      alert
      width={400}
      title={title}
      onClose={onClose}
      onSubmit={() => void submit()}
      hint={blocked}
      actions={
        <>
          <Button onClick={onClose}>{common('cancel')}</Button>
          <Button type="submit" variant="danger" working={working} aria-disabled={blocked !== undefined || undefined}>
            {confirm}
          </Button>
        </>
      }
    >
      {texts.map((text) => (
        <DialogText key={text}>{text}</DialogText>
      ))}
      <Refusal text={refusal.text} />
    </Dialog>
  )
}
