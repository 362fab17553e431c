/**
 * What became of a campaign is counted as it happens: a list shows many, and each may have 100,000 people. Whoever has
 * read its message once counts as a reader, also when they mark it as unread or leave the channel later. In a channel
 * that many read, a member who had read it before their turn came counts, and one who joined after it was sent does not.
 */
export const campaignCounts = `
ALTER TABLE campaigns ADD COLUMN targets INTEGER NOT NULL DEFAULT 0;
ALTER TABLE campaigns ADD COLUMN targets_done INTEGER NOT NULL DEFAULT 0;
ALTER TABLE campaigns ADD COLUMN targets_sent INTEGER NOT NULL DEFAULT 0;
ALTER TABLE campaigns ADD COLUMN people_sent INTEGER NOT NULL DEFAULT 0;
ALTER TABLE campaigns ADD COLUMN people_delivered INTEGER NOT NULL DEFAULT 0;
ALTER TABLE campaigns ADD COLUMN people_read INTEGER NOT NULL DEFAULT 0;
ALTER TABLE campaigns ADD COLUMN messages_sent INTEGER NOT NULL DEFAULT 0;
ALTER TABLE campaign_targets ADD COLUMN delivered INTEGER NOT NULL DEFAULT 0;
ALTER TABLE campaign_targets ADD COLUMN read INTEGER NOT NULL DEFAULT 0;

UPDATE campaign_targets SET read = 1 WHERE kind = 'user' AND state = 'sent' AND EXISTS (
  SELECT 1 FROM members b JOIN messages m ON m.id = campaign_targets.message_id
  WHERE b.cid = campaign_targets.cid AND b.user_id = campaign_targets.target_id AND b.last_read >= m.created_at
    AND b.last_read > b.created_at);
UPDATE campaign_targets SET delivered = 1 WHERE kind = 'user' AND state = 'sent' AND (read = 1 OR EXISTS (
  SELECT 1 FROM members b JOIN messages m ON m.id = campaign_targets.message_id
  WHERE b.cid = campaign_targets.cid AND b.user_id = campaign_targets.target_id
    AND b.last_delivered_at >= m.created_at));
UPDATE campaigns SET (targets, targets_done, targets_sent, people_sent, people_delivered, people_read, messages_sent) = (
  SELECT count(*), coalesce(sum(t.state <> 'pending'), 0), coalesce(sum(t.state = 'sent'), 0),
    coalesce(sum(t.kind = 'user' AND t.state = 'sent'), 0), coalesce(sum(t.delivered), 0), coalesce(sum(t.read), 0),
    count(DISTINCT t.message_id)
  FROM campaign_targets t WHERE t.campaign_id = campaigns.id);

CREATE INDEX campaign_targets_unread ON campaign_targets (target_id, cid)
  WHERE kind = 'user' AND state = 'sent' AND read = 0;

CREATE TRIGGER campaign_target_added AFTER INSERT ON campaign_targets BEGIN
  UPDATE campaigns SET targets = targets + 1 WHERE id = new.campaign_id;
END;

CREATE TRIGGER campaign_target_done AFTER UPDATE OF state ON campaign_targets
WHEN old.state = 'pending' AND new.state <> 'pending' BEGIN
  UPDATE campaigns SET targets_done = targets_done + 1, targets_sent = targets_sent + (new.state = 'sent'),
    people_sent = people_sent + (new.kind = 'user' AND new.state = 'sent'),
    messages_sent = messages_sent + (new.state = 'sent' AND NOT EXISTS (
      SELECT 1 FROM campaign_targets t INDEXED BY campaign_targets_sent
      WHERE t.campaign_id = new.campaign_id AND t.cid = new.cid AND t.state = 'sent'
        AND (t.kind <> new.kind OR t.target_id <> new.target_id)))
  WHERE id = new.campaign_id;
  UPDATE campaign_targets SET delivered = 1, read = 1
  WHERE campaign_id = new.campaign_id AND kind = new.kind AND target_id = new.target_id
    AND new.kind = 'user' AND new.state = 'sent' AND EXISTS (
      SELECT 1 FROM members b JOIN messages m ON m.id = new.message_id
      WHERE b.cid = new.cid AND b.user_id = new.target_id AND b.last_read >= m.created_at
        AND b.created_at < m.created_at);
  UPDATE campaign_targets SET delivered = 1
  WHERE campaign_id = new.campaign_id AND kind = new.kind AND target_id = new.target_id
    AND new.kind = 'user' AND new.state = 'sent' AND EXISTS (
      SELECT 1 FROM members b JOIN messages m ON m.id = new.message_id
      WHERE b.cid = new.cid AND b.user_id = new.target_id AND b.last_delivered_at >= m.created_at);
END;

CREATE TRIGGER campaign_message_delivered AFTER UPDATE OF last_delivered_at ON members
WHEN new.last_delivered_at IS NOT NULL BEGIN
  UPDATE campaign_targets SET delivered = 1
  WHERE target_id = new.user_id AND cid = new.cid AND kind = 'user' AND state = 'sent' AND read = 0 AND delivered = 0
    AND new.last_delivered_at >= (SELECT created_at FROM messages WHERE id = message_id);
END;

CREATE TRIGGER campaign_message_read AFTER UPDATE OF last_read ON members WHEN new.last_read > old.last_read BEGIN
  UPDATE campaign_targets SET delivered = 1, read = 1
  WHERE target_id = new.user_id AND cid = new.cid AND kind = 'user' AND state = 'sent' AND read = 0
    AND new.last_read >= (SELECT created_at FROM messages WHERE id = message_id);
END;

CREATE TRIGGER campaign_target_seen AFTER UPDATE OF delivered, read ON campaign_targets
WHEN old.delivered <> new.delivered OR old.read <> new.read BEGIN
  UPDATE campaigns SET people_delivered = people_delivered + new.delivered - old.delivered,
    people_read = people_read + new.read - old.read
  WHERE id = new.campaign_id;
END;
`
