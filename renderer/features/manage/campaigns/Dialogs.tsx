import { useId, useState } from 'react'
import {
  type ListedCampaign,
  SENDER_MODES,
  SENDER_VISIBILITIES,
  type CampaignContent,
  type SenderMode,
  type SenderVisibility,
  type CampaignChannel,
} from '#shared/domain/manage/campaigns.ts'
import { ok } from '#shared/lib/app-error.ts'
import { fieldText } from '#shared/rules/people/people.ts'
import { useFormats, useTexts, useRemark } from '../../../i18n/index.ts'
import { useAppDispatch, useConnection } from '../../../store/hooks.ts'
import { Button } from '../../../ui/Button/Button.tsx'
import { Dialog, Refusal } from '../../../ui/Dialog/Dialog.tsx'
import { Radios, Select } from '../../../ui/Choice/Choice.tsx'
import { Switch } from '../../../ui/Choice/Switch.tsx'
import { TextField } from '../../../ui/Field/TextField.tsx'
import { Icon } from '../../../ui/Icon/Icon.tsx'
import { PillOn } from '../../../ui/Mark/Pill.tsx'
import { useNames } from '../../people/index.ts'
import { PeoplePicker } from '../../sidebar/index.ts'
import { Question } from '../Page.tsx'
import { removeCampaign, stopCampaign } from './commands.ts'
import { NewFieldInputs, useNewField } from './Extras.tsx'
import styles from './Campaigns.module.css'

type Props = {
  readonly campaign: ListedCampaign
  readonly onClose: () => void
  readonly onDone?: () => void
}

export function DeleteDialog({ campaign, onClose, onDone }: Props) {
  const t = useTexts('campaigns')
  const dispatch = useAppDispatch()
  const { offline } = useConnection()
  const { id, content } = campaign
  return (
    <Question
      title={t('delete.title', { name: content.name })}
      texts={[t('delete.text')]}
      confirm={t('delete.confirm')}
      done={t('delete.done', { name: content.name })}
      blocked={offline ? t('offline') : undefined}
      onConfirm={() => dispatch(removeCampaign({ id }))}
      onClose={onClose}
      onDone={onDone}
    />
  )
}

/** Names both numbers: who has the message, and who will not get it. */
export function StopDialog({ campaign, left, onClose, onDone }: Props & { readonly left: number | undefined }) {
  const t = useTexts('campaigns')
  const formats = useFormats()
  const dispatch = useAppDispatch()
  const { offline } = useConnection()
  const { id, content, state, stats } = campaign
  const sent = formats.number(stats.usersSent)
  return (
    <Question
      title={t('stop.title', { name: content.name })}
      texts={[
        state === 'scheduled'
          ? t('stop.scheduled')
          : left === undefined
            ? t('stop.sent', { sent })
            : t('stop.both', { sent, left: formats.number(left) }),
      ]}
      confirm={t('stop.confirm')}
      done={t('stop.done')}
      blocked={offline ? t('offline') : undefined}
      onConfirm={() => dispatch(stopCampaign({ id }))}
      onClose={onClose}
      onDone={onDone}
    />
  )
}

/** What is stored on the server stays as it is. */
export function DiscardDialog({
  onDiscard,
  onClose,
}: {
  readonly onDiscard: () => void
  readonly onClose: () => void
}) {
  const t = useTexts('campaigns')
  return (
    <Question
      title={t('drafts.discardTitle')}
      texts={[t('drafts.discardText')]}
      confirm={t('drafts.discardConfirm')}
      done={t('drafts.discarded')}
      blocked={undefined}
      onConfirm={() => Promise.resolve(ok(undefined))}
      onClose={onClose}
      onDone={onDiscard}
    />
  )
}

type Delivery = Pick<
  CampaignContent,
  'channel' | 'createChannels' | 'showChannels' | 'skipPush' | 'skipWebhook' | 'senderMode' | 'senderVisibility'
>

type DeliveryDialogProps = {
  readonly content: CampaignContent
  readonly onClose: () => void
  readonly onChange: (to: Delivery) => void
}

const PLACES = ['direct', 'existing', 'each'] as const
type Place = (typeof PLACES)[number]

export const placeOf = ({ channel }: Pick<CampaignContent, 'channel'>): Place =>
  channel === undefined ? 'direct' : channel.id === undefined ? 'each' : 'existing'

const MODES = ['as-is', ...SENDER_MODES] as const
const VISIBILITIES = ['shown', ...SENDER_VISIBILITIES] as const

/** Where the message goes, and what else happens with it: every choice says what follows from it. */
export function DeliveryDialog({ content, onClose, onChange }: DeliveryDialogProps) {
  const t = useTexts('campaigns')
  const common = useTexts('common')
  const [place, setPlace] = useState(placeOf(content))
  const [type, setType] = useState(content.channel?.type ?? 'messaging')
  const [channelId, setChannelId] = useState(content.channel?.id ?? '')
  const [made, setMade] = useState<CreatedChannel>(() => content.channel ?? { members: [], fields: {} })
  const [effects, setEffects] = useState<Delivery>(content)
  const formMessage = useRemark((own: 'type' | 'id') => t(`delivery.${own}Wrong`))
  const submit = (): void => {
    const [theType, id] = [type.trim(), channelId.trim()]
    if (place !== 'direct' && !/^[A-Za-z0-9_-]{1,64}$/.test(theType)) return formMessage.show('type')
    if (place === 'existing' && !/^[A-Za-z0-9!_-]{1,64}$/.test(id)) return formMessage.show('id')
    const channel = { ...made, type: theType, id: place === 'existing' ? id : undefined }
    onChange({ ...effects, channel: place === 'direct' ? undefined : channel })
    onClose()
  }
  return (
    <Dialog
      title={t('delivery.title')}
      onClose={onClose}
      onSubmit={submit}
      actions={
        <>
          <Button onClick={onClose}>{common('cancel')}</Button>
          <Button type="submit" variant="primary">
            {t('delivery.confirm')}
          </Button>
        </>
      }
    >
      <div className={styles['form']}>
        <Radios
          label={t('delivery.place')}
          value={place}
          choices={PLACES.map((value) => ({
            value,
            label: t(`delivery.places.${value}`),
            hint: t(`delivery.placeHints.${value}`),
          }))}
          hintsBelow
          onChange={(next) => {
            formMessage.clear()
            setPlace(next)
          }}
        />
        {place === 'direct' ? null : (
          <TextField
            label={t('delivery.type')}
            hint={t('delivery.typeHint')}
            mono
            value={type}
            maxLength={64}
            autoComplete="off"
            onChange={setType}
          />
        )}
        {place === 'existing' ? (
          <TextField
            label={t('delivery.id')}
            hint={t('delivery.idHint')}
            mono
            value={channelId}
            maxLength={64}
            autoComplete="off"
            onChange={setChannelId}
          />
        ) : null}
        {place === 'direct' ? null : <NewChannels made={made} onChange={(to) => setMade({ ...made, ...to })} />}
        <Effects made={effects} onChange={(to) => setEffects({ ...effects, ...to })} />
        <Refusal text={formMessage.text} />
      </div>
    </Dialog>
  )
}

type EffectsProps = { readonly made: Delivery; readonly onChange: (to: Partial<Delivery>) => void }

/** Switches and choices, each with what follows from it. */
function Effects({ made, onChange }: EffectsProps) {
  const t = useTexts('campaigns')
  return (
    <>
      <Toggle name="create" on={made.createChannels} onChange={(createChannels) => onChange({ createChannels })} />
      <Toggle name="show" on={made.showChannels} onChange={(showChannels) => onChange({ showChannels })} />
      <Toggle name="push" on={!made.skipPush} onChange={(on) => onChange({ skipPush: !on })} />
      <Toggle name="webhook" on={!made.skipWebhook} onChange={(on) => onChange({ skipWebhook: !on })} />
      <Choice
        label={t('delivery.mode')}
        hint={t(`delivery.modeHints.${made.senderMode ?? 'as-is'}`)}
        value={made.senderMode ?? 'as-is'}
        choices={MODES.map((value) => ({ value, label: t(`delivery.modes.${value}`) }))}
        onChange={(value) => onChange({ senderMode: value === 'as-is' ? undefined : (value satisfies SenderMode) })}
      />
      <Choice
        label={t('delivery.visibility')}
        hint={t(`delivery.visibilityHints.${made.senderVisibility ?? 'shown'}`)}
        value={made.senderVisibility ?? 'shown'}
        choices={VISIBILITIES.map((value) => ({ value, label: t(`delivery.visibilities.${value}`) }))}
        onChange={(value) =>
          onChange({ senderVisibility: value === 'shown' ? undefined : (value satisfies SenderVisibility) })
        }
      />
    </>
  )
}

type ToggleProps = {
  readonly name: 'create' | 'show' | 'push' | 'webhook'
  readonly on: boolean
  readonly onChange: (on: boolean) => void
}

function Toggle({ name, on, onChange }: ToggleProps) {
  const t = useTexts('campaigns')
  const id = useId()
  return (
    <div className={styles['toggle']}>
      <span className={styles['toggleText']}>
        <span id={id}>{t(`delivery.toggles.${name}`)}</span>
        <span id={`${id}-hint`} className={styles['hint']}>
          {t(`delivery.${on ? 'on' : 'off'}.${name}`)}
        </span>
      </span>
      <Switch labelledBy={id} describedBy={`${id}-hint`} on={on} onChange={onChange} />
    </div>
  )
}

type ChoiceProps<Value extends string> = {
  readonly label: string
  readonly hint: string
  readonly value: Value
  readonly choices: readonly { readonly value: Value; readonly label: string }[]
  readonly onChange: (value: Value) => void
}

function Choice<Value extends string>({ label, hint, ...select }: ChoiceProps<Value>) {
  return (
    <div className={styles['toggle']}>
      <span className={styles['toggleText']}>
        <span>{label}</span>
        <span className={styles['hint']}>{hint}</span>
      </span>
      <Select label={label} {...select} />
    </div>
  )
}

/** What channels that a campaign creates are like. */
type CreatedChannel = Omit<CampaignChannel, 'type' | 'id'>

type NewChannelsProps = { readonly made: CreatedChannel; readonly onChange: (to: Partial<CreatedChannel>) => void }

const ROLES = ['member', 'moderator'] as const

/** What a channel is called and who is in it, where the campaign has to create one. */
function NewChannels({ made, onChange }: NewChannelsProps) {
  const t = useTexts('campaigns')
  const { members, moderators = [], team = '', name = '', fields } = made
  const names = useNames(members)
  return (
    <fieldset className={styles['group']}>
      <legend>{t('delivery.new.title')}</legend>
      <TextField
        label={t('delivery.new.name')}
        optional={t('optional')}
        value={name}
        maxLength={255}
        autoComplete="off"
        onChange={(next) => onChange({ name: next === '' ? undefined : next })}
      />
      <TextField
        label={t('delivery.new.team')}
        hint={t('delivery.new.teamHint')}
        optional={t('optional')}
        value={team}
        maxLength={64}
        autoComplete="off"
        onChange={(next) => onChange({ team: next === '' ? undefined : next })}
      />
      <PeoplePicker
        label={t('delivery.members')}
        chosen={members}
        onChange={(ids) => onChange({ members: ids, moderators: moderators.filter((each) => ids.includes(each)) })}
      />
      {members.map((id, index) => (
        <div key={id} className={styles['toggle']}>
          <bdi className={styles['toggleText']}>{names[index] ?? id}</bdi>
          <Select
            label={t('delivery.new.role', { name: names[index] ?? id })}
            value={moderators.includes(id) ? 'moderator' : 'member'}
            choices={ROLES.map((value) => ({ value, label: t(`delivery.new.roles.${value}`) }))}
            onChange={(role) => {
              const rest = moderators.filter((each) => each !== id)
              onChange({ moderators: role === 'moderator' ? [...rest, id] : rest })
            }}
          />
        </div>
      ))}
      <CustomData fields={fields} onChange={(next) => onChange({ fields: next })} />
    </fieldset>
  )
}

type DataProps = {
  readonly fields: CreatedChannel['fields']
  readonly onChange: (fields: CreatedChannel['fields']) => void
}

function CustomData({ fields, onChange }: DataProps) {
  const t = useTexts('campaigns')
  const field = useNewField((name, value) => onChange({ ...fields, [name]: value }))
  return (
    <div role="group" aria-label={t('extras.field.title')} className={styles['form']}>
      <div className={styles['chips']}>
        {Object.entries(fields).map(([key, known]) => (
          <PillOn
            key={key}
            sign={<Icon name="braces" size={15} />}
            text={`${key}: ${fieldText(known)}`}
            label={t('extras.remove', { name: key })}
            onRemove={() => {
              const { [key]: _gone, ...rest } = fields
              onChange(rest)
            }}
          />
        ))}
      </div>
      <div className={styles['entry']}>
        <NewFieldInputs field={field} optional={t('optional')} />
        <Button size="small" icon="plus" onClick={field.add}>
          {t('extras.add')}
        </Button>
      </div>
      <Refusal text={field.refusal} />
    </div>
  )
}
