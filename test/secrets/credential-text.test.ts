import { describe, expect, it } from 'vitest';

import { maskArguments, maskHeaders, maskText } from '../../src/secrets/credential-text.js';

describe('maskText', () => {
  it.each([
    ['Authorization: Bearer abcdef123456', 'Authorization: ***'],
    ['sent Bearer abcdef123456 twice', 'sent Bearer *** twice'],
    ['eyJhbGciOi.eyJzdWIi.sig-nature and more', '*** and more'],
    ['key AKIAIOSFODNN7EXAMPLE is', 'key *** is'],
    ['ghp_0123456789abcdefghij', '***'],
    ['postgres://me:hunter2@db/app', 'postgres://***@db/app'],
    ['postgres://$(USER):$(PASSWORD)@db/app', 'postgres://$(USER):$(PASSWORD)@db/app'],
    ['redis://:@cache:6379/0', undefined],
    ['redis://:hunter2@cache:6379/0', 'redis://***@cache:6379/0'],
    ['GET /?api_key=hunter2&x=1', 'GET /?api_key=***&x=1'],
    ['{"password": "hun\\"ter2", "x": 1}', '{"password": "***", "x": 1}'],
    ['PGPASSWORD=hunter2 psql', 'PGPASSWORD=*** psql'],
    ['PGPASSWORD=$PASSWORD psql', 'PGPASSWORD=$PASSWORD psql'],
    ['DB_PASS=hunter2 check', 'DB_PASS=*** check'],
    [
      'POST /bot110201543:AAHdqTcvCH1vGWJxfSeofSAs0K5PALDsaw/sendMessage',
      'POST /bot***/sendMessage',
    ],
    [
      'https://acme.webhook.office.com/webhookb2/0a1b2c3d-aaaa-bbbb-cccc-0123456789ab/x?y=1',
      'https://acme.webhook.office.com/***?y=1',
    ],
    [
      'https://chat.example.com/hooks/3x4mpl3k7yfbd8mq5z1r9w2t6u',
      'https://chat.example.com/hooks/***',
    ],
    ['Post "https://webhook.cert-manager.svc:443/mutate?timeout=10s": EOF', undefined],
    ['GET /callback?code=4%2F0AY0e-g7Exampl3&state=x', 'GET /callback?code=***&state=x'],
    ['Server=db;Uid=me;Pwd=hunter2;', 'Server=db;Uid=me;Pwd=***;'],
    ['sqlplus me/hunter2@//ora:1521/XE', 'sqlplus me/***@//ora:1521/XE'],
    ['library/nginx@sha256:9b2a and app/web@1.2.3', undefined],
    ['dsn me:hunter2@tcp(db:3306)/app', 'dsn me:***@tcp(db:3306)/app'],
    ['The password is hunter22', 'The password is ***'],
    ['password was reset to hunter22, once', 'password was reset to ***, once'],
    ['The password is incorrect', undefined],
    ['secret db-v2-credentials not found', undefined],
    [
      'A password is generated for root@localhost: q&7fJd(k3Ls',
      'A password is generated for root@localhost: ***',
    ],
    ['user=me pass=hunter2', 'user=me pass=***'],
    ['Environment="DB_PASSWORD=hunter"', 'Environment="DB_PASSWORD=***"'],
    ['map[DB_PASS:hunter PORT:8080]', 'map[DB_PASS:*** PORT:8080]'],
    ['status passwd:amd64 1:4.13', undefined],
    ['Config { host: "db", db_password: "hunter" }', 'Config { host: "db", db_password: "***" }'],
    ['Config { db_password: Some("hunter"), a: 1 }', 'Config { db_password: Some("***"), a: 1 }'],
    ['Config { DbPassword = hunter, Port = 1 }', 'Config { DbPassword = ***, Port = 1 }'],
    ["  DB_PASSWORD: 'hunter',", "  DB_PASSWORD: '***',"],
    ['    [DB_PASSWORD] => hunter', '    [DB_PASSWORD] => ***'],
    ['["DB_PASSWORD"]=>\n  string(6) "hunter"', '["DB_PASSWORD"]=>\n  string(6) "***"'],
    ['| DB_PASSWORD | hunter | env |', '| DB_PASSWORD | *** | env |'],
    ['Using DB_PASSWORD: hunter', 'Using DB_PASSWORD: ***'],
    ['DB_PASSWORD is "hunter"', 'DB_PASSWORD is "***"'],
    ['serviceAccountToken is information about it', undefined],
    ['DB_PASSWORD set to hunter (default)', 'DB_PASSWORD set to *** (default)'],
    ['DB_PASSWORD: must be set', undefined],
    ['> X-Db-Password: hunter', '> X-Db-Password: ***'],
    ['      DB_PASSWORD:  hunter', '      DB_PASSWORD:  ***'],
    ['"timeKey": "timestamp", topologyKey: kubernetes.io/hostname', undefined],
    ['cache_key=k7Lq2VnRt my_key=k7Lq2VnRt', 'cache_key=k7Lq2VnRt my_key=***'],
    ['imageKey = getImageTuple(image)', undefined],
    ['Server=db;Password=p@ss&w=1;Encrypt=yes', 'Server=db;Password=***;Encrypt=yes'],
    ['USERS=alice|password', 'USERS=***'],
    ['GOCSPX-k7Lq2VnRtp9Xw3Tz5', '***'],
    ['tests pass=12 fail=0', undefined],
    ['&{Addr:db:6379 Password:hunter2 DB:0}', '&{Addr:db:6379 Password:*** DB:0}'],
    ['    client-key-data: LS0tLS1C', '    client-key-data: ***'],
    ['spring.mail.password = hunter', 'spring.mail.password = ***'],
    ['password = hunter', 'password = ***'],
    ['<Connector keystorePass="hunter" port="1"/>', '<Connector keystorePass="***" port="1"/>'],
    ['flag=--auth-token value=hunter2', 'flag=--auth-token value=***'],
    ['GET /cb?code=4/0AX4XfWh9kQ2v&x=1', 'GET /cb?code=***&x=1'],
    [`PGPASSWORD='two words' psql`, `PGPASSWORD='***' psql`],
    ['PGPASSWORD="" APP="two words"', undefined],
    [
      String.raw`{\"r.io\":{\"auth\":\"bWU6aHVudGVyMg==\"}}`,
      String.raw`{\"r.io\":{\"auth\":\"***\"}}`,
    ],
    ['imagePullSecrets: regcred', undefined],
    ['JWT_SIGNING_KEY=hunter', 'JWT_SIGNING_KEY=***'],
    ['row_key=2026-03 sort_key=created_at', undefined],
    ['{"auths":{"r.io":{"auth":"bWU6aHVudGVyMg=="}}}', '{"auths":{"r.io":{"auth":"***"}}}'],
    ['- name: DB_PASSWORD\n  value: hunter', '- name: DB_PASSWORD\n  value: ***'],
    ['authorization: required', undefined],
    ['Error when reading /var/lib/rabbitmq/.erlang.cookie: eacces', undefined],
    ['/?X-Amz-Signature=hunter2&x=1', '/?X-Amz-Signature=***&x=1'],
    ["{'db_password': 'hunter2', 'x': 1}", "{'db_password': '***', 'x': 1}"],
    [String.raw`"{\"token\":\"hunter2\"}"`, String.raw`"{\"token\":\"***\"}"`],
    ['GET /ping?key=AbC123xyz789', 'GET /ping?key=***'],
    ['GET /ping?key=user:42&page_token=2', undefined],
    ['root token is hvs.ROOTabcdef123456', 'root token is ***'],
    ['key sk-proj-a1b2c3d4e5f6g7h8i9j0: rejected', 'key ***: rejected'],
    ['sk-learn-regression-model-v12-final loaded', undefined],
    ['api.telegram.org/bot123456789:AAExampleToken_abc', 'api.telegram.org/bot***'],
    ['the root password: aB3dE5fG7h', 'the root password: ***'],
    ['aws_secret_access_key = wJalrXUtnFEMI/K7MD', 'aws_secret_access_key = ***'],
    ['postgres://app@pg:5432/app and ssh://git@host/x', undefined],
    ['https://0123456789abcdef@sentry.io/1', 'https://***@sentry.io/1'],
    ['admin:$apr1$h6Kq2pLx$0Yt8vZr3mWb5nQc7dJf1s/', 'admin:$***'],
    ['ops:$2y$05$N9qo8uLOickgx2ZMRZoMyeIjZAgcfl7p92ldG', 'ops:$***'],
    ['{SSHA}DkMTwBl+a/3DQTxCYEApdUtNXGgdUac3', '***'],
    ['"app" "SCRAM-SHA-256$4096:Qm5Zk1==$abcd=:efgh="', '"app" "***"'],
    ['"stats" "md5f1e2d3c4b5a697888abcdef012345678"', '"stats" "***"'],
    ['bind 0.0.0.0\nrequirepass hunter\n', 'bind 0.0.0.0\nrequirepass ***\n'],
    ['requirepass is set', undefined],
    ['db:5432:app:me:hunter', 'db:5432:app:me:***'],
    [
      'bind failed for cn=me with credentials hunter22',
      'bind failed for cn=me with credentials ***',
    ],
    ['x-honeycomb-team=hcaik_01hq3x5z7k9m2n4p6r8t', 'x-honeycomb-team=***'],
    ['cloud glc_eyJvIjoiMTIzNDU2IiwibiI6ImFj', 'cloud ***'],
    [
      'runner glrt-x3Zp7Vq1Lm9Kw2Ts5Yb8 of glint-template-imports',
      'runner *** of glint-template-imports',
    ],
    ['PLEX_CLAIM=claim-x7Qm5Zk1n8Xw3Rr6Tt9Y', 'PLEX_CLAIM=***'],
    ['claim-data-postgresql-0 bound', undefined],
    ['UID = app\nPWD = hunter22', 'UID = app\nPWD = ***'],
    ['<password>hunter</password>', '<password>***</password>'],
    ["define( 'DB_PASSWORD', 'hunter' );", "define( 'DB_PASSWORD', '***' );"],
    ['Your API key is pk_7f6e5d4c3b2a, keep it', 'Your API key is ***, keep it'],
    ['"password" => "hunter22"', '"password" => "***"'],
    ['password: must be at least 8 characters', undefined],
    ['password=[REDACTED] token = tokens[0] token: 2026-01-02T00:00:00Z', undefined],
    ['signature=invalid pass=3 auth=basic pwd=/app in tests_pass=12', undefined],
    ['GET /reset?reset_token=k7Lq2VnRt 404', 'GET /reset?reset_token=*** 404'],
    ['GET /ws?jwt=k7Lq2VnRt&x=1', 'GET /ws?jwt=***&x=1'],
    ['reset_password=1 use_jwt=1 auth=scram-sha-256', undefined],
    ['{"headers":{"X-Api-Key":["k7Lq2VnRt"]}}', '{"headers":{"X-Api-Key":["***"]}}'],
    ['{"secret":["MYSQL_PASSWORD","TOKEN"]}', undefined],
    ['[["x-api-key","k7Lq2VnRt"]]', '[["x-api-key","***"]]'],
    ['[{user, "me"}, {password, "k7Lq2VnRt"}]', '[{user, "me"}, {password, "***"}]'],
    ['{"token":{"value":"hunter2"}}', '{"token":{"value":"***"}}'],
    ['{"name":"DB_PASSWORD","value":"hunter2"}', '{"name":"DB_PASSWORD","value":"***"}'],
    [
      String.raw`{"a":"{\\\"token\\\":\\\"hunter2\\\"}"}`,
      String.raw`{"a":"{\\\"token\\\":\\\"***\\\"}"}`,
    ],
    ['password := "hunter2"', 'password := "***"'],
    ['for _, secret := range secrets {', undefined],
    ['ENV DB_PASSWORD hunter2', 'ENV DB_PASSWORD ***'],
    ['token eyJhbGciOi.eyJz\ndWIi\nfQ.sig-nature-of-twenty-1', 'token ***'],
    ['a eyJhbGciOi..48V1_AL.5eym8TW.XFBoMYU b', 'a *** b'],
    ['-----BEGIN PGP PRIVATE KEY BLOCK-----\n\nlQOYBF0a', '***'],
    ['Private-Lines: 1\nAAAAgQC5c7m9', 'Private-Lines: 1\n***'],
    ['tls LS0tLS1CRUdJTiBSU0EgUFJJVkFURSBLRVktLS0tLQpNSUlF', 'tls ***'],
    ['{"kty":"EC","x":"abc","d":"0123456789abcdefghij"}', '{"kty":"EC","x":"abc","d":"***"}'],
    ['{"d":"0123456789abcdefghij"}', undefined],
    [
      'Digest username="me", response="0123456789abcdef0123456789abcdef"',
      'Digest username="me", response="***"',
    ],
    ['USER me\r\nPASS hunter2\r\n', 'USER me\r\nPASS ***\r\n'],
    ['PASS src/e2e.test.ts', undefined],
    ['a1 LOGIN me hunter2', 'a1 LOGIN me ***'],
    ['AUTH PLAIN AG1lAGh1bnRlcjI=', 'AUTH PLAIN ***'],
    ['"AUTH" "hunter2k7"', '"AUTH" "***"'],
    ["CREATE USER 'me'@'%' IDENTIFIED BY 'hunter2'", "CREATE USER 'me'@'%' IDENTIFIED BY '***'"],
    ["SET PASSWORD FOR 'me'@'%' = 'hunter2'", "SET PASSWORD FOR 'me'@'%' = '***'"],
    [
      "INSERT INTO u (name, password) VALUES ('me', 'x')",
      'INSERT INTO u (name, password) VALUES (***)',
    ],
    [
      "PDO->__construct('mysql:host=db', 'me', 'hunter2')",
      "PDO->__construct('mysql:host=db', 'me', '***')",
    ],
    ['{password,<<"hunter2k7">>}', '{password,<<"***">>}'],
    [
      'jdbc:sqlserver://db;user=sa;password={a;b9};x=1',
      'jdbc:sqlserver://db;user=sa;password=***;x=1',
    ],
    ["#0 login('me', 'hunter2')", "#0 login('me', '***')"],
    ['ST-12-k7Lq2VnRtp9Xw3Tz and SK0123456789abcdef0123456789abcdef', '*** and ***'],
    ['WWW-Authenticate: Bearer realm="api"', 'WWW-Authenticate: Bearer realm="api"'],
    ['dial tcp 127.0.0.1:8080: connect: connection refused', undefined],
    ['token=<none>', undefined],
    ['    password = getpass()', undefined],
    ['    secret = random.token_hex()', undefined],
    ['    self.password = password', undefined],
    ['12:34:56:78:90', undefined],
    ['10.0.0.1:5432:*:me:hunter2', '10.0.0.1:5432:*:me:***'],
    ['Failed to pull image "a@sha256:0123456789abcdef0123456789abcdef": not found', undefined],
    ['secret "db" not found', undefined],
    ["couldn't find key token in Secret default/db", undefined],
  ])('of %s', (text, masked = text) => {
    expect(maskText(text)).toBe(masked);
    expect(maskText(masked)).toBe(masked);
  });

  it('masks a text with a million escapes', () => {
    const text = `{"password": "${'\\n'.repeat(1_000_000)}", "x": 1}`;
    expect(maskText(text)).toBe('{"password": "***');
  });
});

describe('maskArguments', () => {
  it.each([
    [
      ['check', '--password=hunter2'],
      ['check', '--password=***'],
    ],
    [
      ['check', '--token', 'hunter2', '-v'],
      ['check', '--token', '***', '-v'],
    ],
    [
      ['redis-cli', '-a', 'hunter2', 'ping'],
      ['redis-cli', '-a', '***', 'ping'],
    ],
    [
      ['mysqladmin', '-phunter2', 'ping'],
      ['mysqladmin', '-p***', 'ping'],
    ],
    [
      ['sh', '-c', `mysql -uroot -p'two words' -e 'select 1'`],
      ['sh', '-c', `mysql -uroot -p'***' -e 'select 1'`],
    ],
    [
      ['sh', '-c', String.raw`redis-cli -a \"two words\" ping`],
      ['sh', '-c', String.raw`redis-cli -a \"***\" ping`],
    ],
    [
      ['sh', '-c', 'echo "AUTH hunter2" | nc db 6379; echo "AUTH PLAIN"'],
      ['sh', '-c', 'echo "AUTH ***" | nc db 6379; echo "AUTH PLAIN"'],
    ],
    [
      ['keytool', '-storepass', 'hunter2', '-list'],
      ['keytool', '-storepass', '***', '-list'],
    ],
    [
      ['redis-cli', '--pass', 'hunter2', '-p', '6380'],
      ['redis-cli', '--pass', '***', '-p', '6380'],
    ],
    [
      ['mongosh', '--port', '27018', '-u', 'me', '-p', 'hunter2'],
      ['mongosh', '--port', '27018', '-u', 'me', '-p', '***'],
    ],
    [
      ['sh', '-c', 'sqlcmd -U sa -P hunter2 -Q x'],
      ['sh', '-c', 'sqlcmd -U sa -P *** -Q x'],
    ],
    [
      ['curl', '-H', 'X-Vault-Token: hunter2', '-H', 'Host: app', 'x'],
      ['curl', '-H', 'X-Vault-Token: ***', '-H', 'Host: app', 'x'],
    ],
    [
      ['curl', '-u', 'me:hunter2', 'x'],
      ['curl', '-u', 'me:***', 'x'],
    ],
    [
      ['curl', '-ume:hunter2', 'x'],
      ['curl', '-ume:***', 'x'],
    ],
    [
      ['docker', 'exec', '-u', '1000:1000', 'app', 'id'],
      ['docker', 'exec', '-u', '1000:1000', 'app', 'id'],
    ],
    [['docker', 'run', '--user', 'node:node', 'app'], undefined],
    [
      ['curl', '--user', 'app:123456', 'x'],
      ['curl', '--user', 'app:***', 'x'],
    ],
    [
      ['docker', 'login', '-u', 'me', '-p', 'hunter2', 'registry'],
      ['docker', 'login', '-u', 'me', '-p', '***', 'registry'],
    ],
    [
      ['vault', 'login', 'hunter2'],
      ['vault', 'login', '***'],
    ],
    [
      ['vault', 'login', '-method=oidc'],
      ['vault', 'login', '-method=oidc'],
    ],
    [
      ['sh', '-c', 'rabbitmqctl add_user me hunter && echo ok'],
      ['sh', '-c', 'rabbitmqctl add_user me *** && echo ok'],
    ],
    [
      ['http', '-a', 'me:hunter2', ':8080'],
      ['http', '-a', 'me:***', ':8080'],
    ],
    [
      ['openssl', 'rsa', '-passin', 'pass:hunter2'],
      ['openssl', 'rsa', '-passin', 'pass:***'],
    ],
    [
      ['smbclient', '-U', 'me%hunter2'],
      ['smbclient', '-U', 'me%***'],
    ],
    [
      ['snmpget', '-v2c', '-c', 'hunter2', 'localhost'],
      ['snmpget', '-v2c', '-c', '***', 'localhost'],
    ],
    [
      ['ldapsearch', '-D', 'cn=me', '-w', 'hunter2', '-b', 'dc=x'],
      ['ldapsearch', '-D', 'cn=me', '-w', '***', '-b', 'dc=x'],
    ],
    [
      ['curl', 'https://blob/x?sv=1&sig=a1b2c3d4e5%3D&se=2'],
      ['curl', 'https://blob/x?sv=1&sig=***&se=2'],
    ],
    [
      ['sh', '-c', 'check "0123456789abcdef0123456789abcdef"'],
      ['sh', '-c', 'check "***"'],
    ],
    [
      ['check', '--token', '$(TOKEN)'],
      ['check', '--token', '$(TOKEN)'],
    ],
    [['cat', '/var/lib/0123456789abcdef0123456789abcdef/ready'], undefined],
    ...(
      [
        [`curl -b 'sid=hunter2' http://a`, `curl -b '***' http://a`],
        [`curl -b cookies.txt http://a`],
        [`echo hunter2 | docker login -u me --password-stdin r.io`, `echo *** | docker login -u me --password-stdin r.io`], // prettier-ignore
        [`echo ready | grep ready`],
        [`printf 'AUTH %s\\r\\n' hunter2 | nc db 6379`, `printf 'AUTH %s\\r\\n' *** | nc db 6379`],
        ['ipmitool -U admin -P hunter2 status', 'ipmitool -U admin -P *** status'],
        ['snmpwalk -v3 -u me -A hunter2 h', 'snmpwalk -v3 -u me -A *** h'],
        ['helm registry login -u me -p hunter2 r.io', 'helm registry login -u me -p *** r.io'],
        [
          'skopeo inspect --creds me:hunter2 docker://x',
          'skopeo inspect --creds me:*** docker://x',
        ],
        ['openssl enc -d -k hunter2 -in f', 'openssl enc -d -k *** -in f'],
        ['openssl s_client -key tls.key -connect a:1'],
        ['mc alias set a http://b:9000 me hunter2', 'mc alias set a http://b:9000 me ***'],
        ['htpasswd -bnB me hunter2', 'htpasswd -bnB me ***'],
        ['neo4j-admin set-initial-password hunter2', 'neo4j-admin set-initial-password ***'],
        ['vault token lookup hunter2', 'vault token lookup ***'],
        ['tarantoolctl connect me:hunter2@db:3301', 'tarantoolctl connect me:***@db:3301'],
        ['crane digest web:1.2@sha256:0123456789ab'],
      ] as const
    ).map(([line, masked]): [string[], string[]?] => [
      ['sh', '-c', line],
      ['sh', '-c', masked ?? line],
    ]),
  ])('of %j', (words, masked = words) => {
    expect(maskArguments(words)).toEqual(masked);
    expect(maskArguments(masked)).toEqual(masked);
  });
});

it('masks the headers that carry credentials, and reports what it has found', () => {
  const found: string[] = [];
  const request = 'GET / HTTP/1.1\r\nHost: a\r\nX-Session-Token: abc\r\nAccept: */*\r\n\r\n';
  expect(maskHeaders(request, (value) => found.push(value))).toBe(
    'GET / HTTP/1.1\r\nHost: a\r\nX-Session-Token: ***\r\nAccept: */*\r\n\r\n',
  );
  expect(found).toEqual(['abc']);
});
