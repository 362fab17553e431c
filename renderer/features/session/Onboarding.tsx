import { useEffect, useState, type KeyboardEvent, type Ref } from 'react'
import type { LeftWorkspace } from '#shared/domain/session.ts'
import type { ErrorBody, Result } from '#shared/lib/app-error.ts'
import { LANGUAGES } from '#shared/domain/settings.ts'
import { useErrorText, useFormats, useTexts, useLanguage } from '../../i18n/index.ts'
import { focusOnce } from '../../lib/page/focus.ts'
import { selectAccounts } from '../../store/accounts.ts'
import { useAppDispatch, useAppSelector, useHost, useSession } from '../../store/hooks.ts'
import type { AppState } from '../../store/store.ts'
import { addAccountClosed, dialogOpened } from '../../store/window/ui.ts'
import { Button } from '../../ui/Button/Button.tsx'
import { Icon, type IconName } from '../../ui/Icon/Icon.tsx'
import { Mark } from '../../ui/Mark/Mark.tsx'
import { useMenu } from '../../ui/Menu/Menu.tsx'
import { Spinner } from '../../ui/View/Empty.tsx'
import { updateSettings } from '../settings/index.ts'
import { ConnectForm } from './ConnectForm.tsx'
import { CreateWorkspaceForm, FormHead, IdentityFields, useIdentity, type Identity } from './CreateWorkspaceForm.tsx'
import { WorkspaceFileForm } from './moving/WorkspaceFileForm.tsx'
import { JoinForm } from './sharing/JoinForm.tsx'
import { listLeftWorkspaces, openDemo, openLeft } from './commands.ts'
import styles from './Onboarding.module.css'

type Step = 'start' | 'make' | 'elsewhere' | 'join' | 'connect' | 'file'

/** The start page: at the first start, while signed out, and to add an account. */
export function Onboarding() {
  const t = useTexts('session')
  const adding = useAppSelector((state) => state.ui.adding)
  const { workspace } = useSession()
  // Signed out an invitation can be opened here too, but there is no account to go back to.
  const more = adding !== undefined && workspace !== undefined
  const [step, setStep] = useState<Step>(firstStep(adding))
  const [begun, setBegun] = useState(adding)
  if (adding !== begun) {
    setBegun(adding)
    setStep(firstStep(adding))
  }
  const identity = useIdentity()
  const back = (): void => setStep('start')
  const backToWays = (): void => setStep('elsewhere')
  return (
    <div className={styles['screen']}>
      <aside className={styles['art']} aria-label={t('motto.line1')}>
        <ParlorArt />
        <div className={styles['text']}>
          <p className={styles['motto']}>
            {t('motto.line1')}
            <br />
            {t('motto.line2')}
          </p>
          <p>{t('motto.text')}</p>
        </div>
      </aside>
      <main className={styles['sheet']} aria-label={t(more ? 'more.title' : 'welcome')}>
        <div className={styles['form']}>
          {step === 'start' ? (
            <Start more={more} identity={identity} onStep={setStep} />
          ) : step === 'make' ? (
            <CreateWorkspaceForm identity={identity} onBack={back} />
          ) : step === 'elsewhere' ? (
            <Elsewhere onStep={setStep} onBack={back} />
          ) : step === 'join' ? (
            <JoinForm key={adding?.invitation} name={identity.name} text={adding?.invitation} onBack={backToWays} />
          ) : step === 'file' ? (
            <WorkspaceFileForm onBack={backToWays} />
          ) : (
            <ConnectForm url={adding?.url} onBack={backToWays} />
          )}
        </div>
        <LanguageMenu />
      </main>
    </div>
  )
}

/** Where the page begins: at an invitation that was opened, at a server to sign in to, or at its doors. */
const firstStep = (adding: AppState['ui']['adding']): Step =>
  adding?.invitation !== undefined ? 'join' : adding?.url === undefined ? 'start' : 'connect'

type StartProps = {
  readonly more: boolean
  readonly identity: Identity
  readonly onStep: (step: Step) => void
}

function Start({ more, identity, onStep }: StartProps) {
  const t = useTexts('session')
  const errorText = useErrorText()
  const dispatch = useAppDispatch()
  const { working, error, enter } = useEntering()
  const left = useLeftWorkspaces()
  const hasDemo = useAppSelector((state) => selectAccounts(state).accounts.some(({ kind }) => kind === 'demo'))
  const locked = useLocked()
  const openTheDemo = (): void => {
    if (!identity.check()) return
    void enter('demo', () => dispatch(openDemo({ name: identity.name.trim(), picture: identity.picture })))
  }
  const make = (): void => {
    if (identity.check()) onStep('make')
  }
  const first = locked !== undefined ? undefined : hasDemo ? make : openTheDemo
  const busy = (what: string): boolean => working !== undefined && working !== what
  return (
    <>
      {more ? <MoreHead /> : <WelcomeHead />}
      <IdentityFields identity={identity} focused={!more} onEnter={first} />
      <h2 className={styles['question']}>{t('doors.title')}</h2>
      <div className={styles['doors']} role="presentation" onKeyDown={walkDoors}>
        {left.map((workspace) => (
          <LeftDoor
            key={workspace.place}
            left={workspace}
            working={working === workspace.place}
            waiting={busy(workspace.place)}
            onOpen={({ place }) => void enter(place, () => dispatch(openLeft({ place })))}
          />
        ))}
        {hasDemo ? null : (
          <Door
            icon="chat"
            title={t(working === 'demo' ? 'demo.opening' : 'demo.title')}
            text={t(working === 'demo' ? 'demo.openingText' : 'demo.text')}
            locked={locked}
            working={working === 'demo'}
            waiting={busy('demo')}
            preferred={!more}
            onClick={openTheDemo}
          />
        )}
        <Door
          icon="laptop"
          title={t('local.title')}
          text={t('local.text')}
          locked={locked}
          waiting={working !== undefined}
          onClick={make}
        />
        <Door
          icon="link"
          title={t('ways.title')}
          text={t('ways.text')}
          waiting={working !== undefined}
          onClick={() => onStep('elsewhere')}
        />
      </div>
      {error === undefined ? null : (
        <p className={styles['error']} role="alert">
          <Icon name="alert-circle" size={15} />
          {errorText(error)}
        </p>
      )}
    </>
  )
}

/** Why there are no workspaces on this device, if the administrator does not allow them. */
function useLocked(): string | undefined {
  const t = useTexts('session')
  return useHost().managed?.values.AllowLocalServer === false ? t('doors.locked') : undefined
}

type ElsewhereProps = Pick<StartProps, 'onStep'> & { readonly onBack: () => void }

/** The doors to what is on another device. */
function Elsewhere({ onStep, onBack }: ElsewhereProps) {
  const t = useTexts('session')
  return (
    <>
      <FormHead title={t('ways.title')} lead={t('ways.lead')} onBack={onBack} />
      <div className={styles['doors']} role="presentation" onKeyDown={walkDoors}>
        <Door
          icon="users"
          title={t('join.door')}
          text={t('join.doorText')}
          preferred
          ref={focusOnce}
          onClick={() => onStep('join')}
        />
        <Door icon="server" title={t('hosted.title')} text={t('hosted.text')} onClick={() => onStep('connect')} />
        <Door
          icon="upload"
          title={t('moving.door')}
          text={t('moving.doorText')}
          locked={useLocked()}
          onClick={() => onStep('file')}
        />
      </div>
    </>
  )
}

type LeftDoorProps = {
  readonly left: LeftWorkspace
  readonly working: boolean
  readonly waiting: boolean
  readonly onOpen: (left: LeftWorkspace) => void
}

/** A workspace of this device that nobody is signed in to; one that has moved is taken back after a question. */
function LeftDoor({ left, working, waiting, onOpen }: LeftDoorProps) {
  const t = useTexts('session')
  const formats = useFormats()
  const dispatch = useAppDispatch()
  const { place, name, movedAt } = left
  return (
    <Door
      icon="laptop"
      title={t(movedAt === undefined ? 'local.left' : 'moving.left', { name })}
      text={movedAt === undefined ? t('local.leftText') : t('moving.leftText', { when: formats.dayAndTime(movedAt) })}
      working={working}
      waiting={waiting}
      onClick={() =>
        movedAt === undefined ? onOpen(left) : dispatch(dialogOpened({ kind: 'take-back', place, name, at: movedAt }))
      }
    />
  )
}

/** Opening what a door leads to: which one is being opened, and what went wrong. */
function useEntering() {
  const [working, setWorking] = useState<string>()
  const [error, setError] = useState<ErrorBody>()
  const enter = async (what: string, run: () => Promise<Result<void, ErrorBody>>): Promise<void> => {
    if (working !== undefined) return
    setWorking(what)
    setError(undefined)
    const opened = await run()
    setWorking(undefined)
    if (!opened.ok) setError(opened.error)
  }
  return { working, error, enter }
}

function WelcomeHead() {
  const t = useTexts('session')
  return (
    <>
      <span className={styles['mark']}>
        <Mark size={46} />
      </span>
      <h1 className={styles['title']}>{t('welcome')}</h1>
      <p className={styles['lead']}>{t('lead')}</p>
    </>
  )
}

/** The heading when an account is being added; the current account stays signed in. */
function MoreHead() {
  const t = useTexts('session')
  const dispatch = useAppDispatch()
  const { workspace } = useSession()
  return (
    <>
      <div className={styles['back']}>
        <Button variant="quiet" size="small" icon="arrow-left" onClick={() => dispatch(addAccountClosed())}>
          {t('more.back', { name: workspace?.name ?? '' })}
        </Button>
      </div>
      <h1 className={styles['title']} ref={focusOnce} tabIndex={-1}>
        {t('more.title')}
      </h1>
      <p className={styles['lead']}>{t('more.lead')}</p>
    </>
  )
}

/** Local workspaces of this device that the user can open again. */
function useLeftWorkspaces(): readonly LeftWorkspace[] {
  const dispatch = useAppDispatch()
  const [left, setLeft] = useState<readonly LeftWorkspace[]>([])
  useEffect(() => {
    void dispatch(listLeftWorkspaces(undefined)).then((listed) => listed.ok && setLeft(listed.value ?? []))
  }, [dispatch])
  return left
}

type DoorProps = {
  readonly icon: IconName
  readonly title: string
  readonly text: string
  readonly preferred?: boolean
  /** This door is being opened. */
  readonly working?: boolean
  /** Another one is being opened. */
  readonly waiting?: boolean
  /** Why the administrator does not allow it; in place of its text. */
  readonly locked?: string
  readonly ref?: Ref<HTMLButtonElement>
  readonly onClick: () => void
}

/** A large button: what it opens, and what that means. */
function Door({ icon, title, text, preferred, working = false, waiting = false, locked, ref, onClick }: DoorProps) {
  const isClosed = waiting || locked !== undefined
  return (
    <button
      ref={ref}
      type="button"
      className={styles['choice']}
      data-preferred={(preferred === true && !isClosed) || undefined}
      aria-busy={working || undefined}
      aria-disabled={isClosed || undefined}
      onClick={working || isClosed ? undefined : onClick}
    >
      <span className={styles['glyph']}>
        <Icon name={icon} size={22} />
      </span>
      <span>
        <span className={styles['choiceTitle']}>{title}</span>
        <span className={styles['choiceText']}>{locked ?? text}</span>
      </span>
      {working ? <Spinner size={18} /> : <Icon name={locked === undefined ? 'chevron-right' : 'lock'} />}
    </button>
  )
}

/** Arrow keys go from door to door. */
function walkDoors(event: KeyboardEvent<HTMLElement>): void {
  const step = event.key === 'ArrowDown' ? 1 : event.key === 'ArrowUp' ? -1 : 0
  const doors = [...event.currentTarget.querySelectorAll('button')]
  const at = doors.findIndex((door) => door === document.activeElement)
  if (step === 0 || at < 0) return
  event.preventDefault()
  doors[at + step]?.focus()
}

/** The interface language, before settings are reachable. Each language is named in itself. */
function LanguageMenu() {
  const t = useTexts('session')
  const names = useTexts('settings')
  const dispatch = useAppDispatch()
  const chosen = useLanguage()
  const menu = useMenu({
    label: names('language.language'),
    placement: { side: 'below', align: 'end', gap: 4 },
    minWidth: 216,
    items: () => [
      ...LANGUAGES.map((language) => ({
        id: language,
        label: names(`language.names.${language}`),
        lang: language,
        checked: language === chosen,
        onSelect: () => void dispatch(updateSettings({ language })),
      })),
      { kind: 'separator', id: 'line' },
      { kind: 'heading', id: 'system', content: t('language.system') },
    ],
  })
  return (
    <div className={styles['languages']}>
      <button
        type="button"
        className={styles['language']}
        aria-label={t('language.button', { language: names(`language.names.${chosen}`) })}
        {...menu.triggerProps}
      >
        <Icon name="globe" size={16} />
        {names(`language.names.${chosen}`)}
        <Icon name="chevron-down" size={16} />
      </button>
      {menu.menu}
    </div>
  )
}

/** The illustration of the start screen: a window with a lamp, over contour lines. Decorative; the same in all themes. */
function ParlorArt() {
  return (
    <svg viewBox="0 0 560 840" preserveAspectRatio="xMidYMid slice" aria-hidden="true">
      <path fill="#0d4b47" d="M0 0h560v840H0z" />
      <g fill="none" stroke="#2a7069" strokeWidth="1.4" opacity=".75">
        {LEFT_RINGS.map((step) => (
          <ellipse
            key={step}
            cx={150 + 9 * step}
            cy={520 - 16 * step}
            rx={460 - 58 * step}
            ry={300 - 40 * step}
            transform="rotate(-18 150 520)"
          />
        ))}
        {RIGHT_RINGS.map((step) => (
          <ellipse
            key={step}
            cx={470 - 4 * step}
            cy={120 + 6 * step}
            rx={250 - 38 * step}
            ry={170 - 27 * step}
            transform="rotate(24 470 120)"
          />
        ))}
      </g>
      <g transform="translate(126 142)">
        <path fill="#f4ead6" d="M0 150C0 62 66 0 154 0s154 62 154 150v230H0z" />
        <path fill="#12605a" d="M22 152C22 76 78 22 154 22s132 54 132 130v206H22z" />
        <circle cx="154" cy="104" r="30" fill="#f2b63f" />
        <circle cx="154" cy="104" r="54" fill="#f2b63f" opacity=".16" />
        <path fill="#0d4b47" d="M22 262c40-34 66-6 104-30s62-46 96-26 40 6 64-8v160H22z" />
        <path fill="#2c8078" d="M22 300c50-26 88 8 132-8s84-34 132-8v74H22z" />
        <rect x="-16" y="368" width="340" height="22" rx="7" fill="#f4ead6" />
        <path
          fill="#f4ead6"
          d="M54 288h84a14 14 0 0 1 14 14v22a14 14 0 0 1-14 14H84l-22 16v-16h-8a14 14 0 0 1-14-14v-22a14 14 0 0 1 14-14z"
        />
        <path stroke="#12605a" strokeWidth="6" strokeLinecap="round" d="M62 306h66M62 321h40" />
        <path
          fill="#f2b63f"
          d="M186 236h64a13 13 0 0 1 13 13v18a13 13 0 0 1-13 13h-6v14l-20-14h-38a13 13 0 0 1-13-13v-18a13 13 0 0 1 13-13z"
        />
        <path stroke="#7a4b00" strokeWidth="6" strokeLinecap="round" d="M192 258h48" />
      </g>
    </svg>
  )
}

const LEFT_RINGS = [0, 1, 2, 3, 4, 5, 6]
const RIGHT_RINGS = [0, 1, 2, 3, 4, 5]
