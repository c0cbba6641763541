-- For a local database: an API key, a-key-for-local-use, and two accounts of its actor.
INSERT INTO api_keys (sha256, actor)
VALUES ('f8428c6e94056f5c188119a56cc7e850a64c2244be304e97301d70bf1eb54dc4', 'k_local')
ON CONFLICT DO NOTHING;

INSERT INTO accounts (id, owner, balance)
VALUES ('current', 'k_local', 10000), ('savings', 'k_local', 0)
ON CONFLICT DO NOTHING;
