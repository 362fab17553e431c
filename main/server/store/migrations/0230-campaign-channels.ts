/** Whether a campaign has sent into a channel, asked before each of its messages. */
export const campaignChannels = `
CREATE INDEX campaign_targets_sent ON campaign_targets (campaign_id, cid) WHERE state = 'sent';
`
