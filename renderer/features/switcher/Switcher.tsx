import { useEffect, useId, useMemo, useRef, useState, type KeyboardEvent } from 'react'
import type { User } from '#shared/domain/user.ts'
import type { Settings } from '#shared/domain/settings.ts'
import { useTexts } from '../../i18n/index.ts'
import { announce } from '../../lib/page/announce.ts'
import { keysOf } from '../../lib/text/chords.ts'
import { openTargetOf, type OpenTarget } from '../../lib/open-target.ts'
import { useAppDispatch, useHost, useAppSelector, useChannel, useUser, useSession } from '../../store/hooks.ts'
import { dialogClosed, searchOpened, dialogOpened, routeOpened } from '../../store/window/ui.ts'
import { Icon, type IconName } from '../../ui/Icon/Icon.tsx'
import { Keys } from '../../ui/Keys/Keys.tsx'
import { Modal, early } from '../../ui/Modal/Modal.tsx'
import { commandFailed } from '../../store/command.ts'
import { cx } from '../../lib/cx.ts'
import { matchIn } from '../../lib/text/fold.ts'
import { Count } from '../../ui/Mark/Mark.tsx'
import { openDirect, forYouOf } from '../sidebar/index.ts'
import { openSaved } from '../search/index.ts'
import { openChannel, useOpening } from '../windows/index.ts'
import { EmojiText } from '../emoji/index.ts'
import { Portrait, presenceOf } from '../people/index.ts'
import { type SwitcherAction, useShortcut } from '../../app/keys/shortcuts.tsx'
import { useSwitcherItems, type SwitcherGroup, type SwitcherItem, readQuery } from './use-items.ts'
import { selectAccounts } from '../../store/accounts.ts'
import { dayPickerOpened } from '../../store/window/overlays.ts'
import { selectOpenCid } from '../../store/selectors.ts'
import styles from './Switcher.module.css'
import { goToAccount } from '../accounts/index.ts'
import { updateSettings, useSettingRows } from '../settings/index.ts'

const PAGE = 8

/** The quick switcher (Ctrl+K). Prefixes: `#` channels only, `@` people only, `>` actions only, `/` messages. */
export function Switcher({ actions }: { readonly actions: readonly SwitcherAction[] }) {
  const t = useTexts('search')
  const sidebar = useTexts('sidebar')
  const listId = useId()
  const input = useRef<HTMLInputElement>(null)
  const [opener] = useState(() => early.opener ?? document.activeElement)
  const [query, setQuery] = useState('')
  const [active, setActive] = useState(0)
  const more = useAppActions()
  const groups = useSwitcherItems(query, [...actions, ...more])
  const items = useMemo(() => groups.flatMap((group) => group.items), [groups])
  const current = items[Math.min(active, items.length - 1)]
  const dispatch = useAppDispatch()
  const { os } = useHost()
  const open = useOpenItem(opener)
  useCount(query, items.length)

  const close = (): void => void dispatch(dialogClosed())
  const onKeyDown = (event: KeyboardEvent): void => {
    const last = items.length - 1
    const to = (index: number): void => setActive(Math.max(0, index))
    if (event.key === 'ArrowDown') to(active >= last ? 0 : active + 1)
    else if (event.key === 'ArrowUp') to(active <= 0 ? last : active - 1)
    else if (event.key === 'PageDown') to(Math.min(last, active + PAGE))
    else if (event.key === 'PageUp') to(active - PAGE)
    else if (event.key === 'Enter' && !event.nativeEvent.isComposing) open(current, openTargetOf(event, os))
    else if (event.key === 'Escape') close()
    else if (event.key !== 'Tab') return
    event.preventDefault()
    event.stopPropagation()
  }
  return (
    <Modal
      aria-label={t('switcher.title')}
      className={styles['scrim']}
      firstFocus={() => input.current}
      onClose={close}
    >
      <div data-modal-box="" className={styles['switcher']}>
        <div className={styles['field']}>
          <Icon name="search" size={20} />
          <input
            ref={input}
            role="combobox"
            aria-label={sidebar('search')}
            aria-expanded
            aria-autocomplete="list"
            aria-controls={listId}
            aria-activedescendant={current === undefined ? undefined : `${listId}-${current.id}`}
            autoComplete="off"
            spellCheck={false}
            maxLength={200}
            placeholder={sidebar('search')}
            value={query}
            onKeyDown={onKeyDown}
            onChange={(event) => {
              setQuery(event.currentTarget.value)
              setActive(0)
            }}
          />
          <span aria-hidden="true">
            <Keys keys={['Esc']} />
          </span>
        </div>
        <Options
          {...{ listId, groups, query, current, opener }}
          onOpen={open}
          onHover={(item) => setActive(items.indexOf(item))}
        />
        <Foot />
      </div>
    </Modal>
  )
}

type OptionsProps = {
  readonly listId: string
  readonly groups: readonly SwitcherGroup[]
  readonly query: string
  readonly current: SwitcherItem | undefined
  readonly opener: Element | null
  readonly onOpen: (item: SwitcherItem, target: OpenTarget) => void
  readonly onHover: (item: SwitcherItem) => void
}

function Options({ listId, groups, query, current, opener, onOpen, onHover }: OptionsProps) {
  const t = useTexts('search')
  const list = useRef<HTMLDivElement>(null)
  useEffect(() => {
    list.current?.querySelector('[aria-selected="true"]')?.scrollIntoView({ block: 'nearest' })
  })
  return (
    <>
      <div ref={list} id={listId} role="listbox" aria-label={t('switcher.title')} className={styles['list']}>
        {groups.map((group) => (
          <div key={group.name} role="group" aria-label={t(`switcher.${group.name}`)}>
            <div className={styles['head']} aria-hidden="true">
              {t(`switcher.${group.name}`)}
            </div>
            {group.items.map((item) => (
              <SwitcherOption
                key={item.id}
                item={item}
                domId={`${listId}-${item.id}`}
                query={query}
                isActive={item === current}
                isReady={isReady(item, opener)}
                onOpen={(target) => onOpen(item, target)}
                onHover={() => onHover(item)}
              />
            ))}
          </div>
        ))}
      </div>
      {groups.length === 0 ? <p className={styles['none']}>{t('switcher.none', { query })}</p> : null}
    </>
  )
}

const SETTLED_MS = 500

/** Announces the number of results after typing has stopped. */
function useCount(query: string, count: number): void {
  const t = useTexts('search')
  useEffect(() => {
    if (query === '') return undefined
    const timer = setTimeout(() => announce(t('switcher.found', { count })), SETTLED_MS)
    return () => clearTimeout(timer)
  }, [query, count, t])
}

function Foot() {
  const t = useTexts('search')
  const windows = useTexts('windows')
  const { os } = useHost()
  return (
    <div className={styles['foot']} aria-hidden="true">
      <span>
        <Keys keys={['↑', '↓']} /> {t('switcher.move')}
      </span>
      <span>
        <Keys keys={['↵']} /> {t('switcher.open')}
      </span>
      <span>
        <Keys keys={[...keysOf('Alt', os), '↵']} /> {windows('switcher.beside')}
      </span>
      <span className={styles['prefixes']}>
        <span># {t('switcher.hintChannels')}</span>
        <span>@ {t('switcher.hintPeople')}</span>
        <span>&gt; {t('switcher.hintActions')}</span>
        <span>/ {t('switcher.hintMessages')}</span>
      </span>
    </div>
  )
}

const PLACES = { message: '[data-message-id]', composer: '[data-composer]' } as const

/** Whether an item can be opened now: actions on a message need the focus to have been on one. */
function isReady(item: SwitcherItem, opener: Element | null): boolean {
  if (item.kind !== 'action' || item.action.run !== undefined) return true
  const { press, place } = item.action
  return press !== undefined && place !== undefined && opener?.matches(PLACES[place]) === true
}

/** Closes the switcher and opens the place or runs the action. A failure to open a direct conversation raises a notice. */
function useOpenItem(opener: Element | null): (item: SwitcherItem | undefined, target?: OpenTarget) => void {
  const dispatch = useAppDispatch()
  return (item, target = 'here') => {
    if (item === undefined || !isReady(item, opener)) return
    dispatch(dialogClosed())
    switch (item.kind) {
      case 'channel':
        dispatch(openChannel(item.cid, target))
        return
      case 'search':
        dispatch(searchOpened({ text: item.text, everywhere: item.everywhere }))
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

type Props = {
  readonly item: SwitcherItem
  readonly domId: string
  readonly query: string
  readonly isActive: boolean
  readonly isReady: boolean
  readonly onOpen: (target: OpenTarget) => void
  readonly onHover: () => void
}

/** One line of the quick switcher, with the match highlighted. */
function SwitcherOption({ item, domId, query, isActive, isReady, onOpen, onHover }: Props) {
  const opening = useOpening()
  return (
    <div
      id={domId}
      role="option"
      tabIndex={-1}
      aria-selected={isActive}
      aria-disabled={isReady ? undefined : true}
      className={cx(styles['option'], !isReady && styles['notNow'])}
      onPointerDown={(event) => event.preventDefault()}
      onPointerMove={onHover}
      {...opening(onOpen)}
    >
      <Mark item={item} />
      <Name item={item} query={query} />
      <Extra item={item} isReady={isReady} />
      <End item={item} isActive={isActive} />
    </div>
  )
}

function Name({ item, query }: Pick<Props, 'item' | 'query'>) {
  const t = useTexts('search')
  if (item.kind === 'search') {
    const { everywhere, text: query } = item
    return (
      <span className={cx(styles['words'], 'ellipsis')}>
        {t(everywhere ? 'switcher.containingEverywhere' : 'switcher.containing', { query })}
      </span>
    )
  }
  const { before, match, after } = matchIn(item.name, readQuery(query).text)
  return (
    <span className={styles['name']}>
      {before}
      <b>{match}</b>
      {after}
    </span>
  )
}

function Mark({ item }: Pick<Props, 'item'>) {
  const channel = useChannel(item.kind === 'channel' ? item.cid : '')
  if (item.kind === 'person') return <Person id={item.userId} />
  if (item.kind === 'channel' && item.person !== undefined) return <Person id={item.person} />
  return <Icon name={iconOf(item, channel?.isPrivate === true, (channel?.directUserIds.length ?? 0) > 0)} />
}

function iconOf(item: SwitcherItem, isPrivate: boolean, isDirect: boolean): IconName {
  if (item.kind === 'search') return 'search'
  if (item.kind === 'saved') return 'bookmark'
  if (item.kind === 'action') return item.action.icon ?? ICONS[item.action.id] ?? 'corner-down-right'
  return isDirect ? 'users' : isPrivate ? 'lock' : 'hash'
}

const ICONS: Readonly<Record<string, IconName>> = {
  search: 'search',
  searchHere: 'search',
  back: 'arrow-left',
  forward: 'arrow-right',
  newMessage: 'pencil',
  newChannel: 'plus',
  outbox: 'outbox',
  markRead: 'check-double',
  sidebar: 'sidebar',
  settings: 'settings',
  shortcuts: 'keyboard',
  notices: 'bell',
  replyInThread: 'thread',
  quote: 'quote',
  react: 'smile-plus',
  edit: 'pencil',
  delete: 'trash',
  pin: 'pin',
  copy: 'copy',
  bold: 'bold',
  italic: 'italic',
  strike: 'strike',
  attach: 'paperclip',
}

function Person({ id }: { readonly id: string }) {
  const user = useUser(id)
  return <Portrait userId={id} size={22} presence={user === undefined ? undefined : presenceOf(user)} />
}

const whatOf = (user: Pick<User, 'statusText' | 'title'> | undefined): string | undefined =>
  user?.statusText ?? user?.title

/** Additional text: a draft, a topic, what a person does or is, or where the focus must be for an action. */
function Extra({ item, isReady }: Pick<Props, 'item' | 'isReady'>) {
  const t = useTexts('search')
  const cid = item.kind === 'channel' ? item.cid : ''
  const channel = useChannel(cid)
  const draft = useAppSelector((state) => (channel?.hasDraft === true ? state.entities.drafts[cid]?.text : undefined))
  const user = useUser(item.kind === 'person' ? item.userId : channel?.directUserId)
  const text =
    item.kind === 'action'
      ? isReady
        ? undefined
        : t(item.action.place === 'message' ? 'switcher.onMessage' : 'switcher.whileWriting')
      : channel?.hasDraft === true
        ? [t('switcher.draft'), draft?.slice(0, 80)].filter(Boolean).join(': ')
        : channel?.archivedAt === undefined
          ? (channel?.topic ?? whatOf(user) ?? (item.kind === 'person' ? whatOf(item.user) : undefined))
          : t('switcher.archived')
  return text === undefined || text === '' ? null : (
    <span className={`${styles['extra']} ellipsis`}>
      <EmojiText text={text} />
    </span>
  )
}

function End({ item, isActive }: Pick<Props, 'item' | 'isActive'>) {
  const channel = useChannel(item.kind === 'channel' ? item.cid : '')
  const forYou = channel === undefined ? 0 : forYouOf(channel)
  const searchKeys = useShortcut('search')
  const keys = item.kind === 'action' ? item.action.keys : item.kind === 'search' && !item.everywhere ? searchKeys : []
  return (
    <span className={styles['end']} aria-hidden="true">
      {forYou > 0 ? (
        <Count value={forYou} tone="mention" />
      ) : channel !== undefined && channel.unread > 0 ? (
        <Count value={channel.unread} />
      ) : null}
      {keys.length > 0 ? <Keys keys={keys} /> : isActive ? <Keys keys={['↵']} /> : null}
    </span>
  )
}

const NO_SHORTCUTS: Parameters<typeof useSettingRows>[0] = []
const THEMES: readonly Settings['theme'][] = ['system', 'light', 'dark', 'hc-light', 'hc-dark']

/** Actions without a shortcut: settings pages and rows, themes, accounts, and actions on the workspace. */
function useAppActions(): readonly SwitcherAction[] {
  const t = useTexts('search')
  const settings = useTexts('settings')
  const dispatch = useAppDispatch()
  const workspace = useWorkspaceActions()
  const messages = useTexts('messages')
  const rows = useSettingRows(NO_SHORTCUTS)
  const cid = useAppSelector(selectOpenCid)
  const list = useAppSelector(selectAccounts)
  const accounts = list.accounts.filter(({ key }) => key !== list.shown)
  return [
    ...(cid === undefined
      ? []
      : [
          {
            id: 'jump-to-day',
            label: messages('jump.title'),
            keys: [],
            icon: 'calendar',
            run: () => void dispatch(dayPickerOpened({ cid })),
          } satisfies SwitcherAction,
        ]),
    ...accounts.map(({ key, name }): SwitcherAction => ({
      id: `account-${key}`,
      label: t('switcher.account', { name }),
      keys: [],
      icon: 'corner-down-right',
      run: () => dispatch(goToAccount(key)),
    })),
    ...rows.map(({ section, title }): SwitcherAction => ({
      id: `settings-${section}-${title}`,
      label: t('switcher.settings', { name: title }),
      keys: [],
      icon: 'settings',
      run: () => void dispatch(routeOpened({ view: 'settings', section, row: title })),
    })),
    ...THEMES.map((theme): SwitcherAction => ({
      id: `theme-${theme}`,
      label: t('switcher.theme', { name: settings(`appearance.themes.${theme}`) }),
      keys: [],
      icon: 'palette',
      run: () => void dispatch(updateSettings({ theme })),
    })),
    ...workspace,
  ]
}

type Plain = 'open-as' | 'create-workspace' | 'sign-out'

function useWorkspaceActions(): readonly SwitcherAction[] {
  const t = useTexts('session')
  const dispatch = useAppDispatch()
  const { workspace } = useSession()
  const { capabilities } = useHost()
  const open = (kind: Plain) => () => void dispatch(dialogOpened({ kind }))
  const action = (kind: Plain, label: string, icon: SwitcherAction['icon']): SwitcherAction => ({
    id: kind,
    label,
    keys: [],
    icon,
    run: open(kind),
  })
  return [
    ...(workspace?.kind === 'local' && capabilities.severalWindows
      ? [action('open-as', t('menu.openAs'), 'external-link')]
      : []),
    ...(workspace?.demo === true ? [action('create-workspace', t('menu.makeOwn'), 'laptop')] : []),
    action('sign-out', t('menu.signOut'), 'logout'),
  ]
}
