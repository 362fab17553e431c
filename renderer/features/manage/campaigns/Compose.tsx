import { useEffect, useRef, useState, type ReactNode } from 'react'
import {
  CAMPAIGN_DESCRIPTION_LENGTH,
  CAMPAIGN_NAME_LENGTH,
  type CampaignContent,
  type CampaignSegment,
  type ListedCampaign,
} from '#shared/domain/manage/campaigns.ts'
import { useErrorText, useFormats, useRemark, useTexts } from '../../../i18n/index.ts'
import { announce } from '../../../lib/page/announce.ts'
import { useBreakpoint } from '../../../lib/page/environment.ts'
import { useAppDispatch, useConnection } from '../../../store/hooks.ts'
import { Banner } from '../../../ui/Banner/Banner.tsx'
import { Button, IconButton } from '../../../ui/Button/Button.tsx'
import { Refusal } from '../../../ui/Dialog/Dialog.tsx'
import { TextArea, TextField } from '../../../ui/Field/TextField.tsx'
import { Icon } from '../../../ui/Icon/Icon.tsx'
import { useMenu } from '../../../ui/Menu/Menu.tsx'
import { Page } from '../Page.tsx'
import { Portrait, useName } from '../../people/index.ts'
import { Aside } from './Aside.tsx'
import { changeCampaign, createCampaign } from './commands.ts'
import { DeleteDialog, DiscardDialog, StopDialog, DeliveryDialog, placeOf } from './Dialogs.tsx'
import { Extras } from './Extras.tsx'
import { Recipients, SenderDialog, MessageField } from './Fields.tsx'
import { type Kept, copyOf, isSameContent, problemOf, sentContent, type CampaignDraft } from './use-drafts.ts'
import { useDryRun, useSameContent, type DryRun } from './use-dry-run.ts'
import styles from './Campaigns.module.css'

type Props = {
  /** Absent: it is new. */
  readonly campaign?: ListedCampaign
  /** Shown as it was stored on this computer. */
  readonly storedAt?: number
  readonly draft: CampaignDraft
  /** Whether what was written is stored on this device. */
  readonly kept: Kept | undefined
  readonly onBack: () => void
  readonly onDraft: (key: string, draft: CampaignDraft | undefined) => void
  readonly onOpen: (open: { readonly id?: string; readonly checking?: boolean } | undefined) => void
  readonly onWrite: (content: CampaignContent) => void
  /** Stores what could not be stored. */
  readonly onRetry: () => void
}

/** Counted without being asked for up to this many people. */
const COUNTED_AT_ONCE = 1_000
const PAUSE_MS = 700

/** Writes a campaign: from whom, to whom, what, and how. What follows from it stands beside it. */
export function Compose({ campaign, storedAt, draft, kept, onBack, onDraft, onOpen, onWrite, onRetry }: Props) {
  const t = useTexts('campaigns')
  const wide = useBreakpoint() === 'wide'
  const { offline } = useConnection()
  const [chosen, setChosen] = useState<readonly CampaignSegment[]>([])
  const [asking, setAsking] = useState<Asking>()
  const { dryRun, begin } = useDryRun()
  const content = useSameContent(draft.content)
  const key = campaign?.id ?? ''
  const segments = [...(campaign?.segments ?? []), ...chosen]
  const change = (to: Partial<CampaignContent>): void => {
    saving.formMessage.clear()
    onDraft(key, { ...draft, content: { ...content, ...to } })
  }
  const saving = useSaving({ campaign, draft, onDraft, onOpen })
  const size = sizeOf(content, segments)
  useEffect(() => {
    if (offline || size === 0 || size > COUNTED_AT_ONCE || problemOf(content) !== undefined) return undefined
    const timer = setTimeout(() => void begin(content), PAUSE_MS)
    return () => clearTimeout(timer)
  }, [content, size, offline, begin])
  const title = content.name.trim() === '' ? t('newTitle') : content.name
  const aside = <Aside content={content} dryRun={dryRun} onCheck={() => void begin(content)} />
  return (
    <Page
      icon="megaphone"
      title={title}
      fact={campaign === undefined ? t('states.draft') : t(`states.${campaign.state}`)}
      onBack={onBack}
      aside={aside}
      asideWide
      actions={
        <>
          <More
            campaign={campaign}
            name={title}
            canDiscard={saving.isChanged}
            onDuplicate={() => onWrite(copyOf(content, t('copyOf', { name: content.name })))}
            onAsk={setAsking}
          />
          <SaveButtons saving={saving} />
        </>
      }
    >
      <Lines campaign={campaign} storedAt={storedAt} onStop={() => setAsking('stop')} />
      <Form
        content={content}
        segments={segments}
        saving={saving}
        kept={saving.isChanged ? kept : undefined}
        onRetry={onRetry}
        dryRun={dryRun}
        onSegment={(segment) => setChosen((all) => [...all, segment])}
        onChange={change}
        onAsk={setAsking}
      >
        {wide ? null : aside}
      </Form>
      <Questions
        asking={asking}
        campaign={campaign}
        content={content}
        onChange={change}
        onDeleted={onBack}
        onDiscard={() => {
          onDraft(key, undefined)
          if (campaign === undefined) onBack()
        }}
        onClose={() => setAsking(undefined)}
      />
    </Page>
  )
}

function SaveButtons({ saving }: { readonly saving: ReturnType<typeof useSaving> }) {
  const t = useTexts('campaigns')
  const { offline } = useConnection()
  return (
    <>
      <Button
        working={saving.working}
        aria-disabled={offline || !saving.isChanged || undefined}
        onClick={() => void saving.save()}
      >
        {t('save')}
      </Button>
      <Button
        variant="primary"
        aria-disabled={offline || undefined}
        onClick={() => void saving.save({ checking: true })}
      >
        {t('review')}
      </Button>
    </>
  )
}

type LinesProps = Pick<Props, 'campaign' | 'storedAt'> & { readonly onStop: () => void }

/** How old it is, and when it starts. */
function Lines({ campaign, storedAt, onStop }: LinesProps) {
  const t = useTexts('campaigns')
  const formats = useFormats()
  return (
    <>
      {storedAt === undefined ? null : (
        <Banner icon="cloud-off">{t('asOf', { time: formats.dayAndTime(storedAt) })}</Banner>
      )}
      {campaign?.state === 'scheduled' && campaign.scheduledFor !== undefined ? (
        <Banner icon="clock" action={t('stop.open')} onAction={onStop}>
          {t('scheduledFor', {
            time: formats.dayAndTime(campaign.scheduledFor),
            zone: formats.zone(campaign.scheduledFor) ?? '',
          })}
          {campaign.stopAt === undefined ? null : ` ${t('stopsAt', { time: formats.dayAndTime(campaign.stopAt) })}`}
        </Banner>
      ) : null}
    </>
  )
}

type KeptProps = { readonly kept: Kept | undefined; readonly onRetry: () => void }

/** Says plainly whether what was typed is safe: to a screen reader once, and again when that changes. */
function KeptLine({ kept, onRetry }: KeptProps) {
  const t = useTexts('campaigns')
  const formats = useFormats()
  const errorText = useErrorText()
  const isKept = kept?.at !== undefined
  const isFailed = kept?.error !== undefined
  const text = isFailed
    ? t('drafts.notKept', { why: errorText(kept.error) })
    : isKept
      ? t('drafts.kept', { time: formats.dayAndTime(kept.at) })
      : undefined
  const latest = useRef(text)
  useEffect(() => {
    latest.current = text
  })
  useEffect(() => {
    if ((isKept || isFailed) && latest.current !== undefined) announce(latest.current)
  }, [isKept, isFailed])
  if (isFailed) {
    return (
      <Banner icon="alert-triangle" silent action={t('drafts.retry')} onAction={onRetry}>
        {text}
      </Banner>
    )
  }
  // Stays one line high, so that nothing moves while somebody types.
  return <p className={styles['kept']}>{text}</p>
}

type Asking = 'sender' | 'delivery' | 'delete' | 'discard' | 'stop'

type FormProps = {
  readonly content: CampaignContent
  readonly segments: readonly CampaignSegment[]
  readonly saving: ReturnType<typeof useSaving>
  readonly kept: Kept | undefined
  readonly onRetry: () => void
  readonly dryRun: DryRun | undefined
  readonly onSegment: (segment: CampaignSegment) => void
  readonly onChange: (to: Partial<CampaignContent>) => void
  readonly onAsk: (what: Asking) => void
  readonly children: ReactNode
}

function Form({ content, segments, saving, kept, onRetry, dryRun, onSegment, onChange, onAsk, children }: FormProps) {
  const t = useTexts('campaigns')
  return (
    <div className={styles['compose']}>
      <KeptLine kept={kept} onRetry={onRetry} />
      <Refusal text={saving.formMessage.text} />
      {saving.conflict ? (
        <p className={styles['conflict']}>
          <Button size="small" onClick={saving.takeTheirs}>
            {t('conflict.theirs')}
          </Button>
          <Button size="small" working={saving.working} onClick={() => void saving.saveOver()}>
            {t('conflict.mine')}
          </Button>
        </p>
      ) : null}
      <TextField
        label={t('name')}
        value={content.name}
        maxLength={CAMPAIGN_NAME_LENGTH}
        autoComplete="off"
        error={saving.problem === 'name' ? t('problems.name') : undefined}
        onChange={(name) => onChange({ name })}
      />
      <div className={styles['line']}>
        <span className={styles['lineName']}>{t('from')}</span>
        <Sender senderId={content.senderId} onChoose={() => onAsk('sender')} />
      </div>
      <div className={styles['line']}>
        <span className={styles['lineName']}>{t('to')}</span>
        <Recipients content={content} segments={segments} onSegment={onSegment} onChange={onChange} />
      </div>
      <MessageField
        text={content.text}
        owners={placeOf(content) === 'existing' ? ['sender', 'channel'] : ['receiver', 'sender', 'channel']}
        error={saving.problem === 'message' ? t('problems.message') : undefined}
        hint={
          dryRun?.summary === undefined
            ? undefined
            : t('longest', { count: dryRun.summary.longest, most: dryRun.summary.maxLength })
        }
        onChange={(text) => onChange({ text })}
      />
      <Extras content={content} onChange={onChange} />
      <DeliveryLines content={content} onChange={() => onAsk('delivery')} />
      <TextArea
        label={t('description')}
        optional={t('optional')}
        hint={t('descriptionHint')}
        value={content.description}
        maxLength={CAMPAIGN_DESCRIPTION_LENGTH}
        onChange={(description) => onChange({ description })}
      />
      {children}
    </div>
  )
}

type QuestionsProps = {
  readonly asking: Asking | undefined
  readonly campaign: ListedCampaign | undefined
  readonly content: CampaignContent
  readonly onChange: (to: Partial<CampaignContent>) => void
  readonly onDeleted: () => void
  readonly onDiscard: () => void
  readonly onClose: () => void
}

/** The dialog that is open. */
function Questions({ asking, campaign, content, onChange, onDeleted, onDiscard, onClose }: QuestionsProps) {
  return (
    <>
      {asking === 'sender' ? (
        <SenderDialog
          onClose={onClose}
          onChoose={(senderId) => {
            onClose()
            onChange({ senderId })
          }}
        />
      ) : null}
      {asking === 'delivery' ? <DeliveryDialog content={content} onClose={onClose} onChange={onChange} /> : null}
      {asking === 'delete' && campaign !== undefined ? (
        <DeleteDialog campaign={campaign} onClose={onClose} onDone={onDeleted} />
      ) : null}
      {asking === 'discard' ? <DiscardDialog onDiscard={onDiscard} onClose={onClose} /> : null}
      {asking === 'stop' && campaign !== undefined ? (
        <StopDialog campaign={campaign} left={undefined} onClose={onClose} />
      ) : null}
    </>
  )
}

/** How many people it names at most, as the segments were counted last. */
const sizeOf = ({ segmentIds, userIds }: CampaignContent, segments: readonly CampaignSegment[]): number =>
  userIds.length +
  segmentIds.reduce((sum, id) => sum + (segments.find((each) => each.id === id)?.size ?? COUNTED_AT_ONCE), 0)

/** Saving never overwrites what someone else has changed: the viewer decides. */
function useSaving({ campaign, draft, onDraft, onOpen }: Pick<Props, 'campaign' | 'draft' | 'onDraft' | 'onOpen'>) {
  const dispatch = useAppDispatch()
  const t = useTexts('campaigns')
  const { offline } = useConnection()
  const [working, setWorking] = useState(false)
  const [conflict, setConflict] = useState(false)
  const [tried, setTried] = useState(false)
  const formMessage = useRemark()
  const { content } = draft
  const isChanged = campaign === undefined || !isSameContent(campaign.content, content)
  const send = async (version: string | undefined, checking: boolean): Promise<void> => {
    const problem = problemOf(content)
    setTried(true)
    if (offline || working || problem !== undefined) return
    if (campaign !== undefined && !isChanged) return onOpen({ id: campaign.id, checking })
    setWorking(true)
    const saved = await dispatch(
      campaign === undefined || version === undefined
        ? createCampaign({ content: sentContent(content) })
        : changeCampaign({ id: campaign.id, version, content: sentContent(content) }),
    )
    setWorking(false)
    setConflict(!saved.ok && saved.error.code === 'campaigns/changed')
    if (!saved.ok) return formMessage.refuse(saved.error)
    announce(t('saved'))
    onDraft(campaign?.id ?? '', undefined)
    onOpen({ id: saved.value.id, checking })
  }
  return {
    working,
    conflict,
    formMessage,
    isChanged,
    problem: tried ? problemOf(content) : undefined,
    save: ({ checking = false } = {}) => send(draft.version, checking),
    saveOver: () => send(campaign?.version, false),
    takeTheirs: () => {
      setConflict(false)
      formMessage.clear()
      onDraft(campaign?.id ?? '', undefined)
    },
  }
}

type MoreProps = {
  readonly campaign: ListedCampaign | undefined
  readonly name: string
  readonly canDiscard: boolean
  readonly onDuplicate: () => void
  readonly onAsk: (what: 'delete' | 'discard') => void
}

function More({ campaign, name, canDiscard, onDuplicate, onAsk }: MoreProps) {
  const t = useTexts('campaigns')
  const { offline } = useConnection()
  const label = t('more', { name })
  const menu = useMenu({
    label,
    items: () => [
      ...(campaign === undefined
        ? []
        : [{ id: 'duplicate', label: t('duplicate'), icon: 'copy' as const, onSelect: onDuplicate }]),
      ...(canDiscard
        ? [{ id: 'discard', label: t('drafts.discard'), icon: 'undo' as const, onSelect: () => onAsk('discard') }]
        : []),
      ...(campaign === undefined
        ? []
        : [
            {
              id: 'delete',
              label: t('delete.open'),
              icon: 'trash' as const,
              danger: true,
              disabledReason: offline ? t('offline') : undefined,
              onSelect: () => onAsk('delete'),
            },
          ]),
    ],
  })
  return (
    <>
      <IconButton icon="more" label={label} {...menu.triggerProps} />
      {menu.menu}
    </>
  )
}

function Sender({ senderId, onChoose }: { readonly senderId: string; readonly onChoose: () => void }) {
  const t = useTexts('campaigns')
  const name = useName(senderId)
  return (
    <span className={styles['sender']}>
      <Portrait userId={senderId} size={22} />
      <bdi className="ellipsis">{name}</bdi>
      <Button size="small" aria-label={t('changeSender', { name })} onClick={onChoose}>
        {t('change')}
      </Button>
    </span>
  )
}

/** How it goes out, in sentences. */
function DeliveryLines({ content, onChange }: { readonly content: CampaignContent; readonly onChange: () => void }) {
  const t = useTexts('campaigns')
  const name = useName(content.senderId)
  const place = placeOf(content)
  return (
    <div className={styles['delivery']}>
      <Icon name="chat" size={18} />
      <span className={styles['toggleText']}>
        <b>
          {place === 'direct'
            ? t('lines.direct', { name })
            : place === 'existing'
              ? t('lines.existing', { channel: content.channel?.id ?? '' })
              : t('lines.each')}
        </b>
        <span className={styles['hint']}>
          {[
            t(`delivery.${content.createChannels ? 'on' : 'off'}.create`),
            t(`delivery.${content.showChannels ? 'on' : 'off'}.show`),
            t(`delivery.${content.skipPush ? 'off' : 'on'}.push`),
            t(`delivery.${content.skipWebhook ? 'off' : 'on'}.webhook`),
            t(`delivery.visibilityHints.${content.senderVisibility ?? 'shown'}`),
          ].join(' ')}
        </span>
      </span>
      <Button size="small" onClick={onChange}>
        {t('change')}
      </Button>
    </div>
  )
}
