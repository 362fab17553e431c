import { use, type ReactNode, useId, createContext, useState } from 'react'
import { DEFAULT_SETTINGS, type Settings } from '#shared/domain/settings.ts'
import { asCid, type Cid } from '#shared/lib/brand.ts'
import type { IgnoredPolicy, Managed, Policies, PolicyName } from '#shared/domain/desktop/policies.ts'
import { cx } from '../../../lib/cx.ts'
import { Switch } from '../../../ui/Choice/Switch.tsx'
import { useTexts, useFormats } from '../../../i18n/index.ts'
import type { SettingsField } from '../../../registry/feature.ts'
import { useAppDispatch, useSettings, useAppSelector, useHost } from '../../../store/hooks.ts'
import { Icon } from '../../../ui/Icon/Icon.tsx'
import { Button } from '../../../ui/Button/Button.tsx'
import { itemsIn } from '../../../lib/text/lists.ts'
import { TextField } from '../../../ui/Field/TextField.tsx'
import type { SettingsSection } from '../../../store/window/kinds.ts'
import { routeOpened } from '../../../store/window/ui.ts'
import { channelTitle } from '../../sidebar/index.ts'
import { updateSettings, type SettingsChange } from '../commands.ts'
import styles from '../Settings.module.css'

type Props = {
  readonly title: string
  readonly id?: string
  readonly hint?: ReactNode
  readonly children?: ReactNode
}

/** A setting: title, description, and its control at the end. */
export function SettingRow({ title, id, hint, children }: Props) {
  const isFound = use(FoundRow) === title
  return (
    <div
      ref={isFound ? showFound : undefined}
      tabIndex={isFound ? -1 : undefined}
      className={cx(styles['row'], isFound && styles['found'])}
    >
      <div className={styles['text']}>
        <div id={id} className={styles['name']}>
          {title}
        </div>
        {hint === undefined ? null : (
          <div id={id === undefined ? undefined : `${id}-hint`} className={styles['hint']}>
            {hint}
          </div>
        )}
      </div>
      {children}
    </div>
  )
}

/**
 * What is rare, at the end of its page: closed until it is wanted. A search result inside opens it.
 * @param what names what is inside, so that nobody has to open it to know.
 */
export function More({ what, children }: { readonly what: string; readonly children: ReactNode }) {
  const t = useTexts('settings')
  return (
    <details className={styles['more']}>
      <summary>
        <Icon name="chevron-right" />
        {t('more', { what })}
      </summary>
      {children}
    </details>
  )
}

type SwitchRowProps = {
  readonly title: string
  readonly hint?: string
  readonly on: boolean
  readonly onChange: (on: boolean) => void
}

/** A setting that is on or off. */
export function SwitchRow({ title, hint, on, onChange }: SwitchRowProps) {
  const id = useId()
  return (
    <SettingRow id={id} title={title} hint={hint}>
      <Switch labelledBy={id} describedBy={hint === undefined ? undefined : `${id}-hint`} on={on} onChange={onChange} />
    </SettingRow>
  )
}

/** Title of the row to highlight on the current page. */
export const FoundRow = createContext<string | undefined>(undefined)

/** Scrolls to the row and focuses its control, or the row itself. */
export function showFound(row: HTMLElement | null): void {
  if (row === null) return
  const more = row.closest('details')
  if (more !== null) more.open = true
  row.scrollIntoView({ block: 'center' })
  const control = row.querySelector<HTMLElement>('button:not([tabindex="-1"]), input, select')
  const target = control ?? row
  target.focus({ preventScroll: true })
}

/** Link to another settings page. */
export function GoTo({ section, label }: { readonly section: SettingsSection; readonly label: string }) {
  const dispatch = useAppDispatch()
  return <Button onClick={() => dispatch(routeOpened({ view: 'settings', section }))}>{label}</Button>
}

type Outcome = 'done' | 'undone'

/** The given fields of the settings as a change. */
const pick = (settings: Settings, fields: readonly SettingsField[]): SettingsChange =>
  Object.fromEntries(fields.map((field) => [field, settings[field]]))

/** Resets settings to their defaults, with undo while the page is open. */
export function Reset({ label, fields }: { readonly label: string; readonly fields: readonly SettingsField[] }) {
  const t = useTexts('preferences')
  const dispatch = useAppDispatch()
  const settings = useSettings()
  const [before, setBefore] = useState<SettingsChange>()
  const [status, setStatus] = useState<Outcome>()
  const write = async (changes: SettingsChange, held: SettingsChange | undefined, what: Outcome): Promise<void> => {
    const done = await dispatch(updateSettings(changes))
    if (!done.ok) return
    setBefore(held)
    setStatus(what)
  }
  return (
    <div className={styles['reset']}>
      <Button icon="undo" onClick={() => void write(pick(DEFAULT_SETTINGS, fields), pick(settings, fields), 'done')}>
        {label}
      </Button>
      <span role="status">{status === undefined ? null : t(`reset.${status}`)}</span>
      {before === undefined ? null : (
        <Button variant="link" onClick={() => void write(before, undefined, 'undone')}>
          {t('reset.undo')}
        </Button>
      )}
    </div>
  )
}

type CommaListFormProps = {
  readonly label: string
  readonly hint: string
  readonly saveLabel: string
  readonly saved: readonly string[]
  /** Validation error; the text stays in the field. */
  readonly faultOf: (items: readonly string[]) => string | undefined
  readonly onSave: (items: readonly string[]) => void
  /** Shown below the hint for the items as currently typed. */
  readonly below?: (items: readonly string[]) => ReactNode
}

/** A comma-separated list in one field, with a Save button. */
export function CommaListForm({ label, hint, saveLabel, saved, faultOf, onSave, below }: CommaListFormProps) {
  const before = saved.join(', ')
  const [written, setWritten] = useState(before)
  const [tried, setTried] = useState(false)
  const items = itemsIn(written)
  const save = (): void => {
    setTried(true)
    if (faultOf(items) === undefined) onSave(items)
  }
  return (
    <form
      className={styles['listForm']}
      onSubmit={(event) => {
        event.preventDefault()
        save()
      }}
    >
      <TextField
        label={label}
        hint={hint}
        value={written}
        error={tried ? faultOf(items) : undefined}
        onChange={(value) => {
          setWritten(value)
          setTried(false)
        }}
      />
      <Button type="submit" disabled={items.join(', ') === before}>
        {saveLabel}
      </Button>
      {below?.(items)}
    </form>
  )
}

type ChannelListProps = {
  readonly title: string
  readonly hint?: string
  readonly cids: readonly string[]
  /** Label of the remove button for a channel's name. */
  readonly forget: (name: string) => string
  readonly onForget: (cid: Cid) => void
}

/** Channels with an exception, each with a button to remove it. Renders nothing if there are none. */
export function ChannelList({ title, hint, cids, forget, onForget }: ChannelListProps) {
  if (cids.length === 0) return null
  return (
    <SettingRow title={title} hint={hint}>
      <div>
        {cids.map((cid) => (
          <Chosen key={cid} cid={asCid(cid)} forget={forget} onForget={onForget} />
        ))}
      </div>
    </SettingRow>
  )
}

type ChosenProps = Pick<ChannelListProps, 'forget' | 'onForget'> & { readonly cid: Cid }

function Chosen({ cid, forget, onForget }: ChosenProps) {
  const known = useAppSelector((state) => (state.entities.channels[cid] === undefined ? cid : channelTitle(state, cid)))
  return (
    <Button size="small" icon="x" aria-label={forget(known)} onClick={() => onForget(cid)}>
      {known}
    </Button>
  )
}

/** All administrator policies on this device, their sources, and unknown or invalid ones. */
export function ManagedSettings() {
  const t = useTexts('desktop')
  const { managed } = useHost()
  if (managed === undefined) return null
  return (
    <section aria-labelledby="managed-settings">
      <h2 id="managed-settings">{t('managed.title')}</h2>
      <p className={styles['hint']}>{t('managed.lead')}</p>
      <Sources managed={managed} />
      {(Object.keys(managed.values) as PolicyName[]).map((name) => (
        <PolicyRow key={name} name={name} values={managed.values} />
      ))}
    </section>
  )
}

function Sources({ managed: { sources, unknown, refused } }: { readonly managed: Managed }) {
  const t = useTexts('desktop')
  const formats = useFormats()
  const good = sources.filter(({ problem }) => problem === undefined).map(({ from }) => from)
  return (
    <ul className={styles['hint']}>
      {good.length === 0 ? null : <li>{t('managed.from', { places: formats.list(good) })}</li>}
      {sources.map(({ from: place, problem }) =>
        problem === undefined ? null : (
          <li key={place}>
            {problem === 'unreadable' ? t('managed.unreadable', { place }) : t('managed.notPolicies', { place })}
          </li>
        ),
      )}
      {unknown.length === 0 ? null : (
        <li>{t('managed.unknown', { count: unknown.length, names: formats.list(unknown.map(nameOf)) })}</li>
      )}
      {refused.length === 0 ? null : (
        <li>{t('managed.refused', { count: refused.length, names: formats.list(refused.map(nameOf)) })}</li>
      )}
    </ul>
  )
}

const nameOf = ({ name }: IgnoredPolicy): string => name

function PolicyRow({ name, values }: { readonly name: PolicyName; readonly values: Policies }) {
  const t = useTexts('desktop')
  return (
    <SettingRow title={t(`managed.policies.${name}`)} hint={useValue(name, values)}>
      <ManagedBy />
    </SettingRow>
  )
}

/** A boolean as text; names and numbers as they are in the file. */
function useValue(name: PolicyName, values: Policies): string {
  const t = useTexts('desktop')
  const formats = useFormats()
  const value = values[name]
  if (typeof value === 'boolean') {
    if (name.startsWith('Allow')) return value ? t('managed.values.allowed') : t('managed.values.forbidden')
    return value ? t('managed.values.on') : t('managed.values.off')
  }
  if (typeof value === 'number') return formats.number(value)
  if (typeof value === 'string') return value
  return formats.list((value ?? []).map((one) => (typeof one === 'string' ? one : one.name)))
}

/** Replaces a control that is managed by an administrator: a lock and a note. */
export function ManagedBy() {
  const t = useTexts('desktop')
  const { Organization: name } = usePolicies()
  return (
    <span className={styles['managed']}>
      <Icon name="lock" size={15} />
      {name === undefined ? t('managed.byOrganisation') : t('managed.by', { name })}
    </span>
  )
}

/** Administrator policies; empty on most devices. */
const usePolicies = (): Policies => useHost().managed?.values ?? {}

/** Whether a policy fixes this setting. A policy that only allows something fixes nothing. */
export function useIsManaged(policy: PolicyName): boolean {
  const value = usePolicies()[policy]
  return policy.startsWith('Allow') ? value === false : value !== undefined
}
