import { useEffect, useRef, useState } from 'react'
import { PERSON_NAME_LENGTH } from '#shared/constants.ts'
import type { JoinOffer, JoinState, PendingJoin, FoundWorkspace, FoundWorkspaces } from '#shared/domain/sharing.ts'
import { isBlank } from '#shared/lib/clean-text.ts'
import { useFormats, useRemark, useTexts } from '../../../i18n/index.ts'
import { announce } from '../../../lib/page/announce.ts'
import { focusOnce } from '../../../lib/page/focus.ts'
import { useAppDispatch, useHost } from '../../../store/hooks.ts'
import { addAccountClosed } from '../../../store/window/ui.ts'
import { Button } from '../../../ui/Button/Button.tsx'
import { Refusal } from '../../../ui/Dialog/Dialog.tsx'
import { TextField } from '../../../ui/Field/TextField.tsx'
import { Icon } from '../../../ui/Icon/Icon.tsx'
import { Spinner } from '../../../ui/View/Empty.tsx'
import { FormHead } from '../CreateWorkspaceForm.tsx'
import {
  askJoinAnswer,
  askPendingJoin,
  cancelJoin,
  joinWorkspace,
  lookAtInvitation,
  findNearby,
  reopenNearby,
} from './commands.ts'
import styles from './Sharing.module.css'

type Props = {
  /** From a link that was opened. */
  readonly text?: string
  /** As it stands on the start page. */
  readonly name: string
  readonly onBack: () => void
}

/** I have an invitation: the link or code, then what it leads to and the own name, then the owner's answer. */
export function JoinForm({ text = '', name, onBack }: Props) {
  const dispatch = useAppDispatch()
  const [offer, setOffer] = useState<JoinOffer>()
  const [pending, setPending] = useState<PendingJoin>()
  const [isRefused, setRefused] = useState(false)
  const [given, setGiven] = useState(text)
  useEffect(() => {
    void dispatch(askPendingJoin(undefined)).then((asked) => asked.ok && setPending(asked.value))
  }, [dispatch])
  if (pending) return <WaitingForm pending={pending} onBack={onBack} onOver={() => setPending(undefined)} />
  if (!offer) return <InvitationField text={given} onText={setGiven} onFound={setOffer} onBack={onBack} />
  const another = (): void => {
    setRefused(false)
    setOffer(undefined)
  }
  if (isRefused) return <OverForm over="refused" owner={offer.owner} onBack={onBack} onOver={another} />
  return (
    <OfferForm
      offer={offer}
      name={name}
      onPending={setPending}
      onRefused={() => setRefused(true)}
      onBack={() => setOffer(undefined)}
    />
  )
}

type FieldProps = {
  readonly text: string
  readonly onText: (text: string) => void
  readonly onFound: (offer: JoinOffer) => void
  readonly onBack: () => void
}

function InvitationField({ text, onText, onFound, onBack }: FieldProps) {
  const t = useTexts('session')
  const dispatch = useAppDispatch()
  const message = useRemark((own: 'missing') => t(`join.${own}`))
  const [working, setWorking] = useState(false)
  const look = async (): Promise<void> => {
    if (working) return
    if (isBlank(text)) return message.show('missing')
    setWorking(true)
    message.clear()
    const found = await dispatch(lookAtInvitation({ text: text.trim() }))
    setWorking(false)
    if (found.ok) onFound(found.value)
    else message.refuse(found.error)
  }
  return (
    <>
      <form
        noValidate
        onSubmit={(event) => {
          event.preventDefault()
          void look()
        }}
      >
        <FormHead title={t('join.title')} lead={t('join.lead')} onBack={onBack} />
        <TextField
          label={t('join.field')}
          mono
          ref={focusOnce}
          autoComplete="off"
          spellCheck={false}
          placeholder="7KQ4-M2XD-9TRC-0A5F-W3ZE"
          value={text}
          error={message.text}
          onChange={(next) => (onText(next), message.clear())}
        />
        <Button type="submit" variant="primary" size="large" block working={working}>
          {t(working ? 'join.looking' : 'join.look')}
        </Button>
      </form>
      <NearbyWorkspaces />
    </>
  )
}

type OfferProps = {
  readonly offer: JoinOffer
  readonly name: string
  readonly onPending: (pending: PendingJoin) => void
  readonly onRefused: () => void
  readonly onBack: () => void
}

function OfferForm({ offer, name: first, onPending, onRefused, onBack }: OfferProps) {
  const t = useTexts('session')
  const dispatch = useAppDispatch()
  const [name, setName] = useState(first)
  const message = useRemark((own: 'nameMissing') => t(`join.${own}`))
  /** Of what went wrong, only this is about the name. */
  const [isOfName, setOfName] = useState(false)
  const [working, setWorking] = useState(false)
  const { workspace, owner, known } = offer
  const join = async (): Promise<void> => {
    if (working) return
    setOfName(!known && isBlank(name))
    if (!known && isBlank(name)) return message.show('nameMissing')
    message.clear()
    setWorking(true)
    const asked = await dispatch(joinWorkspace({ name: known ? first.trim() || owner : name.trim() }))
    setWorking(false)
    if (!asked.ok) {
      setOfName(asked.error.code === 'join/name')
      return message.refuse(asked.error)
    }
    if (asked.value === 'joined') dispatch(addAccountClosed())
    else if (asked.value === 'waiting') onPending({ workspace, owner, name: name.trim(), since: Date.now() })
    else onRefused()
  }
  return (
    <form
      noValidate
      onSubmit={(event) => {
        event.preventDefault()
        void join()
      }}
    >
      <FormHead title={t('join.offerTitle', { workspace })} lead={t('join.offerLead')} onBack={onBack} />
      <div className={styles['offer']}>
        <Icon name="laptop" size={22} />
        <span>
          <span className={styles['strong']}>{workspace}</span>
          <span className={styles['more']}>{t(`join.sharedBy.${offer.role}`, { owner })}</span>
        </span>
      </div>
      {known ? (
        <p className={styles['more']}>{t('join.known')}</p>
      ) : (
        <TextField
          label={t('join.name')}
          value={name}
          maxLength={PERSON_NAME_LENGTH}
          ref={focusOnce}
          autoComplete="name"
          hint={t(offer.approve ? 'join.nameApprove' : 'join.nameHint', { owner })}
          error={isOfName ? message.text : undefined}
          onChange={(next) => (setName(next), message.clear())}
        />
      )}
      <Refusal text={isOfName ? undefined : message.text} />
      <Button type="submit" variant="primary" size="large" block working={working}>
        {t(known ? 'join.open' : 'join.join')}
      </Button>
    </form>
  )
}

/** How often the owner's answer is asked for. */
const ASK_EVERY_MS = 2_000

type Over = Exclude<JoinState, 'waiting' | 'joined'>

type OverProps = {
  readonly over: Over
  readonly owner: string
  readonly onBack: () => void
  /** To another invitation. */
  readonly onOver: () => void
}

function OverForm({ over, owner, onBack, onOver }: OverProps) {
  const t = useTexts('session')
  return (
    <>
      <FormHead title={t(`join.over.${over}.title`)} lead={t(`join.over.${over}.text`, { owner })} onBack={onBack} />
      <Button block onClick={onOver} ref={focusOnce}>
        {t('join.other')}
      </Button>
    </>
  )
}

type WaitingProps = { readonly pending: PendingJoin; readonly onBack: () => void; readonly onOver: () => void }

function WaitingForm({ pending, onBack, onOver }: WaitingProps) {
  const t = useTexts('session')
  const formats = useFormats()
  const dispatch = useAppDispatch()
  const message = useRemark()
  const [over, setOver] = useState<Over>()
  const latest = useRef(message)
  useEffect(() => {
    latest.current = message
  })
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined
    let isGone = false
    const ask = async (): Promise<void> => {
      const answer = await dispatch(askJoinAnswer(undefined))
      if (isGone) return
      if (!answer.ok) latest.current.refuse(answer.error)
      else if (answer.value === 'joined') return void dispatch(addAccountClosed())
      else if (answer.value !== 'waiting') return setOver(answer.value)
      else latest.current.clear()
      timer = setTimeout(() => void ask(), ASK_EVERY_MS)
    }
    void ask()
    return () => {
      isGone = true
      clearTimeout(timer)
    }
  }, [dispatch])
  const { owner, workspace, name, since } = pending
  if (over !== undefined) return <OverForm over={over} owner={owner} onBack={onBack} onOver={onOver} />
  const cancel = async (): Promise<void> => {
    await dispatch(cancelJoin(undefined))
    announce(t('join.canceled'))
    onOver()
  }
  return (
    <>
      <FormHead title={t('join.waitTitle', { owner })} lead={t('join.waitText', { owner })} onBack={onBack} />
      <div className={styles['offer']} role="status">
        <Icon name="hourglass" size={22} />
        <span>
          <span className={styles['strong']}>{workspace}</span>
          <span className={styles['more']}>{t('join.asked', { name, time: formats.time(since) })}</span>
        </span>
        <Button size="small" onClick={() => void cancel()}>
          {t('join.cancel')}
        </Button>
      </div>
      {message.text === undefined ? null : <p className={styles['more']}>{message.text}</p>}
    </>
  )
}

/** How often it is asked what was heard: main listens only while somebody asks. */
const ASK_NEARBY_EVERY_MS = 1_500
/** After so many answers without a workspace, it is said how its owner makes it visible. */
const PATIENCE = 3

/**
 * Workspaces that are announced on the network, once the user wants to look. Anyone can announce any name, so nothing here
 * leads in: those who have joined a workspace open it, and everyone else needs the invitation.
 */
function NearbyWorkspaces() {
  const t = useTexts('session')
  const [looks, setLooks] = useState(false)
  const managed = useHost().managed?.values
  if (managed?.AllowLanExposure === false || managed?.LockServerList === true) return null
  return (
    <div className={styles['nearby']}>
      {looks ? (
        <Found />
      ) : (
        <Button block icon="search" onClick={() => setLooks(true)}>
          {t('nearby.look')}
        </Button>
      )}
    </div>
  )
}

function Found() {
  const t = useTexts('session')
  const formats = useFormats()
  const dispatch = useAppDispatch()
  const message = useRemark()
  const { state, asked } = useNearby()
  const found = (state?.found ?? []).toSorted((a, b) => formats.compare(a.name, b.name))
  const count = found.length
  useEffect(() => {
    if (count > 0) announce(t('nearby.count', { count }))
  }, [count, t])
  const open = async ({ id }: FoundWorkspace): Promise<void> => {
    const opened = await dispatch(reopenNearby({ id }))
    if (opened.ok) dispatch(addAccountClosed())
    else message.refuse(opened.error)
  }
  return (
    <section aria-labelledby="nearby-title">
      <h2 id="nearby-title" className={styles['strong']}>
        {t('nearby.title')}
      </h2>
      {state?.isFailed === true ? (
        <p className={styles['more']}>{t('nearby.failed')}</p>
      ) : count === 0 ? (
        <p className={styles['looking']}>
          <Spinner size={14} />
          <span className={styles['more']}>{t(asked < PATIENCE ? 'nearby.looking' : 'nearby.none')}</span>
        </p>
      ) : (
        <>
          <ul className={styles['found']}>
            {found.map((each) => (
              <li key={each.id}>
                <Icon name="laptop" size={18} />
                <span className={styles['grow']}>
                  <span className={styles['strong']}>{each.name}</span>
                  <span className={styles['more']}>
                    {t('nearby.sharedBy', { owner: each.owner, address: each.address })}
                  </span>
                </span>
                {each.known ? (
                  <Button
                    size="small"
                    aria-label={t('nearby.openWho', { name: each.name })}
                    onClick={() => void open(each)}
                  >
                    {t('join.open')}
                  </Button>
                ) : null}
              </li>
            ))}
          </ul>
          {state?.isCut === true ? <p className={styles['more']}>{t('nearby.cut')}</p> : null}
          <p className={styles['more']}>{t('nearby.hint')}</p>
        </>
      )}
      {message.text === undefined ? null : <p role="alert">{message.text}</p>}
    </section>
  )
}

/** What has been heard so far; it is asked for as long as this is shown. */
function useNearby(): { readonly state: FoundWorkspaces | undefined; readonly asked: number } {
  const dispatch = useAppDispatch()
  const [known, setKnown] = useState<{ readonly state?: FoundWorkspaces; readonly asked: number }>({ asked: 0 })
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined
    let isGone = false
    const ask = async (): Promise<void> => {
      const result = await dispatch(findNearby(undefined))
      if (isGone) return
      const failed: FoundWorkspaces = { found: [], isCut: false, isFailed: true }
      setKnown(({ asked }) => ({ state: result.ok ? result.value : failed, asked: asked + 1 }))
      timer = setTimeout(() => void ask(), ASK_NEARBY_EVERY_MS)
    }
    void ask()
    return () => {
      isGone = true
      clearTimeout(timer)
    }
  }, [dispatch])
  return { state: known.state, asked: known.asked }
}
