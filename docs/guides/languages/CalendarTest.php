<?php
// npx fake-calendar exec -- phpunit CalendarTest.php
use PHPUnit\Framework\TestCase;

final class CalendarTest extends TestCase
{
    private const EVENTS = '/calendar/v3/calendars/primary/events';

    /** Sends a request to the world "php", and returns its status and its data. */
    private function send(string $verb, string $path, ?array $body = null): array
    {
        $headers = ['Authorization: Bearer php~alice@example.com', 'X-Fake-World: php', 'Content-Type: application/json'];
        $http = ['method' => $verb, 'header' => $headers, 'ignore_errors' => true, 'content' => json_encode($body ?? new stdClass())];
        $url = getenv('FAKE_CALENDAR_URL') . $path;
        $text = file_get_contents($url, false, stream_context_create(['http' => $verb === 'GET' ? ['content' => ''] + $http : $http]));
        return [(int) explode(' ', $http_response_header[0])[1], json_decode($text, true)];
    }

    protected function setUp(): void
    {
        $this->send('POST', '/_control/reset');
    }

    public function testAnInsertIsRefusedOnce(): void
    {
        $this->send('POST', '/_control/faults', ['on' => 'events.insert', 'do' => ['fail' => 'backendError503']]);
        $lunch = ['summary' => 'Lunch', 'start' => ['date' => '2026-03-02'], 'end' => ['date' => '2026-03-03']];

        [$first] = $this->send('POST', self::EVENTS, $lunch);
        [$second] = $this->send('POST', self::EVENTS, $lunch);

        [, $list] = $this->send('GET', self::EVENTS);
        $this->assertSame([503, 200], [$first, $second]);
        $this->assertSame(['Lunch'], array_column($list['items'], 'summary'));
        $this->assertSame(200, $this->send('GET', '/_control/faults/verify')[0]);
    }
}
