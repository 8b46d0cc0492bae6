<?php
// npx fake-calendar exec --intercept -- php artisan test    (spatie/laravel-google-calendar 3; the file is in tests/Feature)
namespace Tests\Feature;

use Google\Service\Exception as Refusal;
use Illuminate\Support\Facades\Http;
use Spatie\GoogleCalendar\Event;
use Tests\TestCase;

final class LaravelCalendarTest extends TestCase
{
    /** Sends a request to a control route, and returns its status. */
    private function control(string $verb, string $path, array $body = []): int
    {
        $options = $verb === 'GET' ? [] : ['json' => (object) $body];
        return Http::send($verb, getenv('FAKE_CALENDAR_CONTROL_URL') . $path, $options)->status();
    }

    protected function setUp(): void
    {
        parent::setUp();
        // A key file of a service account, with an RSA key of your own.
        config(['google-calendar.auth_profiles.service_account.credentials_json' => base_path('tests/key.json')]);
        config(['google-calendar.calendar_id' => 'primary', 'google-calendar.user_to_impersonate' => 'alice@example.com']);
        $this->control('POST', '/reset');
    }

    public function test_a_call_is_refused_once(): void
    {
        $this->control('POST', '/faults', ['on' => 'events.quickAdd', 'do' => ['fail' => 'rateLimitExceeded']]);

        try {
            Event::quickCreate('Lunch tomorrow at noon');
            $this->fail('The first call was not refused.');
        } catch (Refusal $refusal) {
            $this->assertSame(403, $refusal->getCode());
        }
        Event::quickCreate('Lunch tomorrow at noon');

        $this->assertSame(['Lunch'], Event::get()->map(fn (Event $event) => $event->name)->all());
        $this->assertSame(200, $this->control('GET', '/faults/verify'));
    }
}
